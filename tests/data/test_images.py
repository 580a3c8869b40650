"""Packed pictures, names of classes, and how training pictures are varied."""

import io
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from explorer.data.augmentation import ImageAugmentation, augment
from explorer.data.images import ClassNames, ImagesError, ImageSet, normalise, read_images, split

#: Nothing is varied.
PLAIN = ImageAugmentation(shift=0, turn=0.0, zoom=0.0, colour=0.0, hole=0)


def packed(file: Path, n: int = 12, side: int = 16) -> Path:
    """Pictures of one colour each, red, green and blue in turn, brighter and brighter."""
    made = []
    for i in range(n):
        buffer = io.BytesIO()
        colour = [20, 20, 20]
        colour[i % 3] = 100 + 10 * i
        Image.new("RGB", (side, side), tuple(colour)).save(buffer, "JPEG", quality=95)
        made.append(np.frombuffer(buffer.getvalue(), np.uint8))
    np.savez(
        file,
        jpeg=np.concatenate(made),
        offset=np.cumsum([0, *map(len, made)]),
        label=np.arange(n, dtype=np.uint8) % 3,
        classes=np.array(["one", "two", "three"]),
    )
    return file


def test_packed_pictures_are_read_in_order(tmp_path: Path) -> None:
    images = read_images(packed(tmp_path / "train.npz"))
    assert images.pixels.shape == (12, 3, 16, 16)
    assert images.pixels.amax((1, 2, 3)).tolist() == pytest.approx([100 + 10 * i for i in range(12)], abs=3)
    assert images.pixels[:, :, 8, 8].argmax(1).tolist() == images.labels.tolist()
    assert images.classes.names == ("one", "two", "three")


def test_the_last_pictures_are_held_out_and_at_most_a_tenth(tmp_path: Path) -> None:
    images = read_images(packed(tmp_path / "train.npz"))
    train, dev = split(images.part([*range(12)] * 3), 3)
    assert (len(train), dev.labels.tolist()) == (33, [0, 1, 2])
    assert [len(part) for part in split(images, 500)] == [11, 1]
    with pytest.raises(ImagesError, match="one picture is too few"):
        split(images.part([0]), 500)


def test_what_is_no_set_of_pictures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ImagesError, match="does not exist"):
        read_images(tmp_path / "none.npz")
    for content in ("hello", ""):
        (tmp_path / "text.npz").write_text(content)
        with pytest.raises(ImagesError, match="cannot be read"):
            read_images(tmp_path / "text.npz")
    np.savez(tmp_path / "other.npz", x=np.zeros(3))
    (tmp_path / "cut.npz").write_bytes((tmp_path / "other.npz").read_bytes()[:-30])
    with pytest.raises(ImagesError, match="cannot be read"):
        read_images(tmp_path / "cut.npz")
    with pytest.raises(ImagesError, match="cannot be read"):
        read_images(tmp_path / "other.npz")
    with np.load(packed(tmp_path / "train.npz")) as sound:
        np.savez(tmp_path / "few.npz", **{**sound, "classes": sound["classes"][:2]})
        np.savez(tmp_path / "below.npz", **{**sound, "label": sound["label"].astype(int) - 1})
    for name in ("few.npz", "below.npz"):
        with pytest.raises(ImagesError, match="classes"):
            read_images(tmp_path / name)


def test_names_of_classes_come_back(tmp_path: Path) -> None:
    ClassNames(("cat", "狗")).save(tmp_path / "tokenizer.json")
    assert ClassNames.load(tmp_path / "tokenizer.json").names == ("cat", "狗")
    (tmp_path / "tokenizer.json").write_text('{"type": "classes", "names": [1]}')
    with pytest.raises(ValueError, match="a list of texts"):
        ClassNames.load(tmp_path / "tokenizer.json")


def noise(n: int = 6, side: int = 16) -> ImageSet:
    return ImageSet(
        torch.randint(0, 256, (n, 3, side, side), dtype=torch.uint8), torch.arange(n) % 3, ClassNames(tuple("abc"))
    )


def test_without_variation_a_picture_is_only_mirrored() -> None:
    images = noise()
    made = augment(images.pixels, images.labels, 3, PLAIN, 7).pixels
    plain = normalise(images.pixels)
    same = [torch.allclose(one, two, atol=1e-4) for one, two in zip(made, plain, strict=True)]
    mirrored = [torch.allclose(one, two.flip(-1), atol=1e-4) for one, two in zip(made, plain, strict=True)]
    assert all(one != two for one, two in zip(same, mirrored, strict=True))
    assert any(same)
    assert any(mirrored)


def test_the_seed_decides_everything() -> None:
    images, how = noise(), ImageAugmentation(cutmix=0.5)
    one, two, other = (augment(images.pixels, images.labels, 3, how, seed) for seed in (3, 3, 4))
    assert torch.equal(one.pixels, two.pixels)
    assert torch.equal(one.targets, two.targets)
    assert not torch.equal(one.pixels, other.pixels)


def test_a_shift_moves_by_whole_pixels() -> None:
    images = noise(64)
    how = ImageAugmentation(shift=2, turn=0.0, zoom=0.0, colour=0.0, hole=0)
    made, plain = augment(images.pixels, images.labels, 3, how, 1).pixels, normalise(images.pixels)
    for one, original in zip(made, plain, strict=True):
        inner = one[:, 4:12, 4:12]
        found = [
            torch.allclose(inner, seen[:, 4 + y : 12 + y, 4 + x : 12 + x], atol=1e-3)
            for seen in (original, original.flip(-1))
            for y in range(-2, 3)
            for x in range(-2, 3)
        ]
        assert sum(found) == 1


def test_a_mixed_picture_is_labelled_by_area() -> None:
    black, white = torch.zeros(1, 3, 16, 16, dtype=torch.uint8), torch.full((1, 3, 16, 16), 255, dtype=torch.uint8)
    how = ImageAugmentation(shift=0, turn=0.0, zoom=0.0, colour=0.0, hole=0, cutmix=1.0)
    for seed in range(8):
        batch = augment(torch.cat((black, white)), torch.tensor([0, 1]), 2, how, seed)
        share = (batch.pixels[0, 0] > 0).float().mean()
        torch.testing.assert_close(batch.targets[0], torch.stack((1 - share, share)), atol=1e-6, rtol=0)
        torch.testing.assert_close(batch.targets.sum(1), torch.ones(2))


def test_a_hole_is_grey_and_no_larger_than_asked() -> None:
    white = torch.full((20, 3, 16, 16), 255, dtype=torch.uint8)
    how = ImageAugmentation(shift=0, turn=0.0, zoom=0.0, colour=0.0, hole=6)
    covered = (augment(white, torch.zeros(20, dtype=torch.long), 2, how, 0).pixels == 0).all(1).sum((1, 2))
    assert covered.max() <= 36
    assert covered.min() >= 9


def test_an_impossible_variation_is_refused() -> None:
    with pytest.raises(ValueError, match="shift is -1"):
        ImageAugmentation(shift=-1)
    with pytest.raises(ValueError, match="not in"):
        ImageAugmentation(cutmix=1.5)


def test_a_picture_is_turned_by_degrees_and_stays_upright() -> None:
    rows = torch.arange(32, dtype=torch.uint8).mul(8)[:, None].expand(64, 3, 32, 32)  # dark above, bright below
    how = ImageAugmentation(shift=0, turn=10.0, zoom=0.0, colour=0.0, hole=0)
    made = augment(rows, torch.zeros(64, dtype=torch.long), 1, how, 3).pixels
    assert (made[:, :, -8:].mean((1, 2, 3)) > made[:, :, :8].mean((1, 2, 3)) + 1).all()
