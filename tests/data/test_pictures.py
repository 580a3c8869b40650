"""What readers bring: read within bounds, upright, and refused with a reason."""

import io
import struct
import subprocess
import sys
import zlib
from typing import Any

import numpy as np
import pillow_heif
import pytest
from PIL import Image

from explorer.data import picture_formats, pictures
from explorer.data.pictures import MOST_SIDE, PictureRefused, data_uri, read_picture, resize, square
from explorer.inference.vision.samples import explain_refusal
from tests.conftest import ROOT


def file(image: Image.Image, kind: str = "PNG", **more: Any) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **more)
    return buffer.getvalue()


def half_red(width: int = 60, height: int = 40) -> Image.Image:
    """Red on the left, blue on the right."""
    image = Image.new("RGB", (width, height), "blue")
    image.paste((255, 0, 0), (0, 0, width // 2, height))
    return image


@pytest.fixture(autouse=True, scope="module")
def _heif() -> None:
    pillow_heif.register_heif_opener()


@pytest.mark.parametrize("kind", [*picture_formats.NAMES, "MPO"])
def test_every_format_is_read(kind: str) -> None:
    pixels = read_picture(file(half_red(), kind))
    assert pixels.shape == (40, 60, 3)
    assert pixels[20, 5, 0] > 200 > 60 > pixels[20, 5, 2]
    assert pixels[20, 55, 2] > 200


def test_heif_is_read_by_whoever_meets_it_first() -> None:
    code = "import sys; from explorer.data import pictures; print(pictures.read_picture(sys.stdin.buffer.read()).shape)"
    made = subprocess.run([sys.executable, "-c", code], cwd=ROOT, input=file(half_red(), "HEIF"), capture_output=True)
    assert made.stdout.split() == b"(40, 60, 3)".split(), made.stderr


@pytest.mark.parametrize("kind", ["MPO", "TIFF", "HEIF"])
def test_the_first_of_several_pictures_is_the_picture(kind: str) -> None:
    more = [Image.new("RGB", (30, 20), "lime")]
    assert read_picture(file(half_red(), kind, save_all=True, append_images=more)).shape == (40, 60, 3)


@pytest.mark.parametrize("progressive", [False, True])
def test_a_photograph_of_48_million_pixels_is_read(progressive: bool) -> None:
    assert read_picture(file(half_red(8000, 6000), "JPEG", progressive=progressive)).shape == (768, MOST_SIDE, 3)


@pytest.mark.parametrize("kind", ["<u2", ">u2", "<i4", "<f4"])
@pytest.mark.parametrize(("least", "most"), [(0, 255), (0, 4095), (0, 65535), (900, 1300), (-1000, 3000)])
def test_deep_grey_is_scaled_to_what_it_holds(kind: str, least: int, most: int) -> None:
    if kind[1] == "u" and least < 0:
        return
    grey = np.linspace(least, most, 300 * 32).reshape(300, 32).astype(kind)
    pixels = read_picture(file(Image.fromarray(grey), "TIFF"))
    expected = (grey.astype(float) - least) / (most - least) * 255
    assert np.abs(pixels[..., 0] - expected).max() <= 1
    if kind == "<u2":
        assert (read_picture(file(Image.fromarray(grey))) == pixels).all(), "a PNG holds the same"


def test_deep_grey_without_shades_and_with_holes() -> None:
    assert read_picture(file(Image.fromarray(np.full((20, 20), 700, np.uint16)))).max() < 10
    holes = np.linspace(0, 1, 400, dtype=np.float32).reshape(20, 20)
    holes[3, 3], holes[4, 4] = np.nan, np.inf
    assert read_picture(file(Image.fromarray(holes), "TIFF"))[-1, -1, 0] == 255


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.7\n", "PDF"),
        (b'<?xml version="1.0"?><svg/>', "SVG"),
        (b"\n<svg xmlns='x'/>", "SVG"),
        (b"8BPS\0\1", "Photoshop"),
        (b"\0\0\0\x0cjP  \r\n\x87\n", "JPEG 2000"),
        (b"\0\0\0\x18ftypcrx \0\0\0\1crx isom", "RAW"),
        (b"\0\0\0\x14ftypqt  \0\0\0\0qt  ", "MOV"),
        (b"hello", ""),
    ],
)
def test_another_kind_of_file_is_refused_by_its_name(data: bytes, kind: str) -> None:
    with pytest.raises(PictureRefused) as refused:
        read_picture(data)
    assert (refused.value.reason, refused.value.kind) == ("format", kind)
    assert (kind or "PNG, JPEG") in explain_refusal(refused.value)


@pytest.mark.parametrize("kind", sorted(picture_formats.ANIMATED))
def test_an_animation_is_refused_by_its_name(kind: str) -> None:
    with pytest.raises(PictureRefused) as refused:
        read_picture(animated(kind))
    assert picture_formats.NAMES[kind] in explain_refusal(refused.value)


def test_heif_is_refused_by_its_name_where_nothing_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "reads_heif", lambda: False)
    with pytest.raises(PictureRefused) as refused:
        read_picture(file(half_red(), "HEIF"))
    assert "HEIC" in explain_refusal(refused.value)


@pytest.mark.parametrize("mode", ["L", "1", "P", "LA", "RGBA", "CMYK", "I;16"])
def test_every_mode_becomes_red_green_blue(mode: str) -> None:
    if mode == "I;16":
        image = Image.fromarray(np.linspace(0, 65535, 32 * 32).reshape(32, 32).astype(np.uint16))
    else:
        image = Image.linear_gradient("L").resize((32, 32)).convert("RGB").convert(mode)
    pixels = read_picture(file(image, "JPEG" if mode == "CMYK" else "PNG"))
    assert pixels.shape == (32, 32, 3)
    assert int(pixels[-2:].mean()) > int(pixels[:2].mean()) + 100


@pytest.mark.parametrize("kind", ["JPEG", "MPO", "PNG", "WEBP", "AVIF", "TIFF"])  # (HEIF says it otherwise)
def test_a_turned_photograph_stands_upright(kind: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was turned by a quarter
    pixels = read_picture(file(half_red(), kind, exif=exif))
    assert pixels.shape == (60, 40, 3)
    assert pixels[5, 20, 0] > 200  # red is on top now
    assert pixels[55, 20, 2] > 200


def test_what_is_transparent_is_white() -> None:
    pixels = read_picture(file(Image.new("RGBA", (20, 20), (255, 0, 0, 0))))
    assert (pixels == 255).all()


def test_a_large_picture_is_scaled_down() -> None:
    assert read_picture(file(half_red(3000, 1500), "JPEG")).shape == (MOST_SIDE // 2, MOST_SIDE, 3)


def bomb(width: int, height: int) -> bytes:
    """A PNG whose header promises more than its few bytes hold."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(bytes(100))) + chunk(b"IEND", b"")


def animated(kind: str) -> bytes:
    frames = [Image.new("RGB", (20, 20), colour) for colour in ("red", "blue")]
    return file(frames[0], kind, save_all=True, append_images=frames[1:])


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "format"),
        (b"<script>alert(1)</script>" * 40, "format"),
        (file(half_red(), "PPM"), "format"),
        (file(half_red(), "ICO"), "format"),
        (file(half_red(300, 300), "TIFF", compression="tiff_lzw")[:300], "damaged"),
        (bomb(60_000, 60_000), "pixels"),
        (bomb(9_000, 9_000), "pixels"),
        (bomb(200, 200), "damaged"),
        (file(half_red(300, 300), "JPEG")[:900], "damaged"),
        (file(Image.effect_noise((200, 200), 90))[:9000], "damaged"),
        (animated("PNG"), "animated"),
        (animated("WEBP"), "animated"),
        (animated("GIF"), "animated"),
        (file(half_red(8, 40)), "small"),
        (file(half_red(20, 900)), "thin"),
        (bytes(pictures.MOST_BYTES + 1), "bytes"),
    ],
)
def test_what_cannot_be_shown_is_refused_with_a_reason(data: bytes, reason: str) -> None:
    with pytest.raises(PictureRefused) as refused:
        read_picture(data)
    assert refused.value.reason == reason


def test_the_pictures_that_come_along_are_there() -> None:
    names = pictures.samples()
    assert {"cat", "horse", "rocket"} <= set(names)
    for name in names:
        assert pictures.sample(name).shape[2] == 3
    with pytest.raises(KeyError):
        pictures.sample("../../etc/passwd")


def test_a_square_lies_where_it_was_asked_for() -> None:
    pixels = np.zeros((40, 60, 3), np.uint8)
    pixels[:, 40:] = 200
    assert square(pixels, zoom=1.0, across=0.0, down=0.0).shape == (40, 40, 3)
    assert square(pixels, zoom=1.0, across=0.0, down=0.0).max() == 0
    assert square(pixels, zoom=2.0, across=1.0, down=0.5).min() == 200
    assert square(pixels, zoom=100.0, across=0.5, down=0.5).shape == (16, 16, 3)


def test_scaling_down_averages() -> None:
    board = np.indices((32, 32)).sum(0) % 2 * 200
    small = resize(np.repeat(board[..., None], 3, -1).astype(np.uint8), 4)
    assert small.shape == (4, 4, 3)
    assert (small == 100).all()


def test_a_picture_travels_in_its_own_address() -> None:
    assert data_uri(np.zeros((32, 32, 3), np.uint8)).startswith("data:image/png;base64,")
    assert data_uri(np.zeros((100, 100, 3), np.uint8)).startswith("data:image/jpeg;base64,")


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_a_picture_is_read_whatever_its_camera_noted(kind: str) -> None:
    assert read_picture(file(half_red(), kind, exif=b"Exif\0\0nonsense")).shape == (40, 60, 3)
