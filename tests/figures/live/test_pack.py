"""What is packed is read back: the layout here, the same bytes by `unpack.js` in a browser."""

import base64
import json
import struct

import numpy as np
import pytest
from playwright.sync_api import BrowserContext

from explorer.figures.live.modules import KIT
from explorer.figures.live.pack import ALIGNED, pack
from explorer.records.readonly import record
from tests.support.browser import imported

HOSTILE = "</script><script>alert(1)</script> “é” 中文 \x00 \u2028"


def test_bytes_hold_the_head_and_every_array() -> None:
    arrays: dict[str, np.ndarray] = {"a": np.arange(6, dtype=np.float32).reshape(2, 3) / 7}
    arrays["b"] = np.array([1.5, -2, 65504], np.float16)
    data = pack({"words": [HOSTILE], "arrays": arrays})
    (length,) = struct.unpack("<I", data[:4])
    head, positions, language = json.loads(data[4 : 4 + length])
    assert language == "en"
    assert head == {"words": [HOSTILE], "arrays": {"a": None, "b": None}}
    start = -(-(4 + length) // ALIGNED) * ALIGNED
    for (path, kind, offset, shape), (name, array) in zip(positions, arrays.items(), strict=True):
        assert path == ["arrays", name]
        assert (start + offset) % ALIGNED == 0
        found = np.frombuffer(data, kind, count=array.size, offset=start + offset).reshape(shape)
        assert np.array_equal(found, array)


def test_what_cannot_be_packed_is_refused() -> None:
    with pytest.raises(ValueError, match=r"a\.1 is complex128"):
        pack({"a": [1, np.zeros(2, complex)]})
    with pytest.raises(ValueError, match="int64"):
        pack({"a": np.array([2**40])})
    with pytest.raises(ValueError, match="not JSON compliant"):
        pack({"a": float("nan")})


@record
class Inner:
    """What stands in another record."""

    whole: np.ndarray
    allowed: np.ndarray


@record
class Outer:
    """A record with all that can be packed."""

    name: str
    size: float
    full: np.ndarray
    half: np.ndarray
    double: np.ndarray
    inner: tuple[Inner, ...]
    nobody: None = None


def test_the_browser_reads_the_same_record_wherever_the_bytes_lie(usual: BrowserContext) -> None:
    draw = np.random.default_rng(0)
    halves = np.concatenate([draw.normal(0, 300, 500), [0, 6e-8, -1e-5, 65504, np.inf, -np.inf]]).astype(np.float16)
    sent = Outer(
        name=HOSTILE,
        size=np.float64(1.5),
        full=draw.normal(size=(3, 5, 7)).astype(np.float32),
        half=halves.reshape(2, -1),
        double=draw.normal(size=(2, 3)),
        inner=(Inner(whole=np.array([3, -7, 2**31 - 1]), allowed=np.array([[True], [False]])),),
    )
    arrays = {name: getattr(sent, name) for name in ("full", "half", "double")}
    arrays |= {"inner.0.whole": sent.inner[0].whole, "inner.0.allowed": sent.inner[0].allowed}
    data = base64.b64encode(pack(sent)).decode()
    page = usual.new_page()
    imported(page, KIT / "unpack.js")
    for lead in (0, 3):
        found = page.evaluate(
            """([data, lead, names]) => {
                const plain = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
                const moved = new Uint8Array(plain.length + lead);
                moved.set(plain, lead);
                const read = unpack(moved.subarray(lead)).data;
                const list = (name) => {
                    const array = name.split(".").reduce((of, part) => of[part], read);
                    return [array.shape, array.list.map(String)];
                };
                const rows = read.double.rows.map((row) => row.join());
                return [[read.name, read.size, read.nobody], rows, ...names.map(list)];
            }""",
            [data, lead, list(arrays)],
        )
        assert found[0] == [HOSTILE, 1.5, None]
        assert [[float(each) for each in row.split(",")] for row in found[1]] == sent.double.tolist()
        for (shape, numbers), array in zip(found[2:], arrays.values(), strict=True):
            assert shape == list(array.shape)
            read = np.array([float(each.replace("Infinity", "inf")) for each in numbers]).astype(array.dtype)
            assert np.array_equal(read, array.ravel())
    page.close()


def test_the_browser_tells_arrays_apart_by_what_they_hold(usual: BrowserContext) -> None:
    numbers = np.random.default_rng(1).normal(size=(40, 30)).astype(np.float32)
    others = [numbers, numbers.copy(), numbers.T, numbers.astype(np.float16), -numbers, np.roll(numbers, 1)]
    for position in (0, 599, 1199):
        changed = numbers.copy()
        changed.ravel()[position] = np.nextafter(changed.ravel()[position], np.float32(9))
        others.append(changed)
    page = usual.new_page()
    imported(page, KIT / "unpack.js")
    told = page.evaluate(
        "all => all.map(data => JSON.stringify(unpack(Uint8Array.from(atob(data), each => each.charCodeAt(0)))))",
        [base64.b64encode(pack({"numbers": each})).decode() for each in others],
    )
    page.close()
    assert told[0] == told[1]
    assert len(set(told)) == len(others) - 1
