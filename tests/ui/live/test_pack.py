"""What is packed is read back: the layout here, the same bytes by `unpack.js` in a browser."""

import base64
import json
import struct

import numpy as np
import pytest
from playwright.sync_api import BrowserContext

from explorer.ui import scripts
from explorer.ui.live.pack import ALIGNED, pack

HOSTILE = "</script><script>alert(1)</script> “é” 中文 \x00 \u2028"


def test_bytes_hold_the_head_and_every_array() -> None:
    arrays = {"a": np.arange(6, dtype=np.float32).reshape(2, 3) / 7, "b": np.array([1.5, -2, 65504], np.float16)}
    data = pack({"words": [HOSTILE]}, arrays)
    (length,) = struct.unpack("<I", data[:4])
    head = json.loads(data[4 : 4 + length])
    assert head["words"] == [HOSTILE]
    start = -(-(4 + length) // ALIGNED) * ALIGNED
    for name, array in arrays.items():
        kind, offset, shape = head["arrays"][name]
        assert (start + offset) % ALIGNED == 0
        found = np.frombuffer(data, kind, count=array.size, offset=start + offset).reshape(shape)
        assert np.array_equal(found, array)


def test_what_cannot_be_packed_is_refused() -> None:
    with pytest.raises(ValueError, match="float64"):
        pack({}, {"a": np.zeros(2)})
    with pytest.raises(ValueError, match="arrays"):
        pack({"arrays": 1}, {})
    with pytest.raises(ValueError, match="not JSON compliant"):
        pack({"a": float("nan")}, {})


def test_the_browser_reads_the_same_numbers_wherever_the_bytes_lie(usual: BrowserContext) -> None:
    draw = np.random.default_rng(0)
    halves = np.concatenate([draw.normal(0, 300, 500), [0, 6e-8, -1e-5, 65504, np.inf, -np.inf]]).astype(np.float16)
    arrays = {"half": halves.reshape(2, -1), "full": draw.normal(size=(3, 5, 7)).astype(np.float32)}
    data = base64.b64encode(pack({"said": HOSTILE}, arrays)).decode()
    script = scripts.joined(scripts.KIT / "unpack.js")
    page = usual.new_page()
    page.set_content("<title>unpack</title>")
    page.add_script_tag(content=script + "; window.unpack = unpack")
    for lead in (0, 3):
        found = page.evaluate(
            """([data, lead]) => {
                const plain = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
                const moved = new Uint8Array(plain.length + lead);
                moved.set(plain, lead);
                const read = unpack(moved.subarray(lead));
                const list = (name) => [read.array(name).shape, [...read.array(name).values].map(String)];
                return [read.head.said, list("half"), list("full")];
            }""",
            [data, lead],
        )
        assert found[0] == HOSTILE
        for (shape, numbers), array in zip(found[1:], arrays.values(), strict=True):
            assert shape == list(array.shape)
            read = np.array([float(each.replace("Infinity", "inf")) for each in numbers], array.dtype)
            assert np.array_equal(read, array.ravel())
    page.close()
