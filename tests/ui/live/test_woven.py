"""Modules of the live kit are joined to one script."""

from pathlib import Path

import pytest

from explorer.ui.live.woven import joined


def test_imports_go_and_two_modules_may_not_name_two_things_alike(tmp_path: Path) -> None:
    one, other = tmp_path / "one.js", tmp_path / "other.js"
    one.write_text("export const ink = 1;\n  const local = 2;\n", encoding="utf8")
    other.write_text(
        'import { ink } from "./one.js";\n  const local = 3;\nexport default () => ink;\n', encoding="utf8"
    )
    assert joined([one, other]) == "const ink = 1;\n  const local = 2;\n  const local = 3;\nexport default () => ink;\n"
    other.write_text("/** Draw. */ function ink() {}\n", encoding="utf8")
    with pytest.raises(ValueError, match="ink"):
        joined([one, other])
    other.write_text("const far = [1, 2], ink = (a, b = 2) => a;\n", encoding="utf8")
    with pytest.raises(ValueError, match=r"alike: ink$"):
        joined([one, other])
    other.write_text("const far = (ink = 1) => [ink, { ink }];\n", encoding="utf8")
    assert joined([one, other])
