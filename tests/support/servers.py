"""Programs of others that tests start beside the app: a proxy, a store."""

import os
import shutil

import pytest

#: Where Debian keeps servers, off the path of whoever is not root.
_SERVERS = "/usr/sbin"


def program(name: str) -> str:
    """Path of a program. Without it the test is skipped, or fails where `EXPLORER_SERVERS_REQUIRED` is set."""
    found = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", os.defpath), _SERVERS]))
    if found is None:
        refuse = pytest.fail if os.environ.get("EXPLORER_SERVERS_REQUIRED") else pytest.skip
        refuse(f"no {name}: apt-get install {name}")
    return found
