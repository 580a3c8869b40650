"""What `deploy/` hands to Docker and HAProxy: one configuration, whose names agree, and which HAProxy reads."""

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.servers import program

#: A variable of Compose with what stands for it where it is not set: `${NAME:-that}`.
PRESET = re.compile(r"\$\{(\w+):-([^}]*)\}")
#: What Compose puts in its place: what is wanted in any case, and what is wanted if another is set.
OTHER = re.compile(r"\$\{\w+:[+?][^}]*\}")
OVERLAYS = ("", "tls.yaml")


def services(root: Path, overlay: str = "") -> dict[str, Any]:
    """The services, those of an overlay laid over them as Compose does."""
    found: dict[str, Any] = yaml.safe_load((root / "deploy" / "compose.yaml").read_text("utf8"))["services"]
    more = yaml.safe_load((root / "deploy" / overlay).read_text("utf8"))["services"] if overlay else {}
    for name, changed in more.items():
        for key, value in changed.items():
            had = found[name].get(key, type(value)())
            found[name][key] = {**had, **value} if isinstance(value, Mapping) else [*had, *value]
    return found


def environment(proxy: Mapping[str, Any]) -> dict[str, str]:
    """What the proxy's container is told, where nobody sets anything."""
    return {name: OTHER.sub("", PRESET.sub(r"\2", value)) for name, value in proxy["environment"].items()}


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_the_proxy_reads_its_configuration(root: Path, overlay: str, tmp_path: Path) -> None:
    told = environment(services(root, overlay)["proxy"])
    if overlay:
        site = tmp_path / "site.pem"
        ask = [program("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=site.test"]
        done = subprocess.run([*ask, "-keyout", "-"], check=True, capture_output=True, text=True)
        site.write_text(done.stdout)
        told["LISTEN"] = told["LISTEN"].replace("/etc/haproxy/site.pem", str(site))
        assert str(site) in told["LISTEN"]
    checked = subprocess.run(
        [program("haproxy"), "-c", "-f", root / "deploy" / "haproxy.cfg"],
        env={**{name: value for name, value in os.environ.items() if name not in told}, **told},
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    warned = [line for line in checked.stderr.splitlines() if "WARNING" in line]
    assert [line for line in warned if "could not resolve address 'page" not in line] == []  # only Docker knows these


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_name_in_the_compose_file_is_there(root: Path, overlay: str) -> None:
    whole = yaml.safe_load((root / "deploy" / "compose.yaml").read_text("utf8"))
    found = services(root, overlay)
    assert {"page1", "page2", "redis", "proxy"} == set(found)
    for name, service in found.items():
        assert ("image" in service) != ("build" in service), name
        assert set(service.get("networks", ())) <= set(whole["networks"]), name
        assert set(service.get("depends_on", ())) <= set(found), name
        for mount in service.get("volumes", ()):
            source = re.sub(r"^\$\{[^}]*\}", "", mount).partition(":")[0]
            assert not source or source in whole["volumes"] or (root / "deploy" / source).is_file(), mount
    assert (root / "deploy" / found["page1"]["build"] / "Dockerfile").is_file()
    (subnet,) = [each["subnet"] for each in whole["networks"]["inside"]["ipam"]["config"]]
    assert found["page1"]["environment"]["FORWARDED_ALLOW_IPS"] == subnet  # the proxy's word counts, and nobody else's


def test_the_proxy_knows_every_variable_and_the_servers_by_their_names(root: Path) -> None:
    text = (root / "deploy" / "haproxy.cfg").read_text("utf8")
    preset = dict(re.findall(r'^ +presetenv (\w+) +"?(.*?)"?$', text, re.MULTILINE))
    told = services(root)["proxy"]["environment"]
    assert set(re.findall(r"\$\{(\w+)(?:\[\*\])?\}", text)) == preset.keys() | {"BASE"}
    assert told.keys() <= preset.keys() | {"BASE"}
    port = re.search(r"--server\.port=(\d+)", (root / "Dockerfile").read_text("utf8"))
    assert port
    assert [preset["PAGE1"], preset["PAGE2"]] == [f"{name}:{port[1]}" for name in ("page1", "page2")]
    assert services(root)["proxy"]["ports"] == [f"8080{preset['LISTEN']}"]
    for backend in ("pages", "rooms"):
        section = text.partition(f"\nbackend {backend}\n")[2].partition("\nbackend ")[0]
        assert re.findall(r"^ +server (\w+) ", section, re.MULTILINE) == ["page1", "page2"]
