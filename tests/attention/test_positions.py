"""Position codes against closed forms, against each other, and against the transformers library."""

import math

import pytest
import torch
from torch import Tensor

from explorer.attention.masking import causal
from explorer.attention.positions import (
    alibi_bias,
    alibi_slopes,
    rotary_angles,
    rotate,
    rotation,
    similarity,
    sinusoidal,
    wavelengths,
)


class TestSinusoidal:
    @pytest.mark.parametrize(("i", "j"), [(0, 0), (5, 0), (7, 3), (250, 127)])
    def test_a_component_is_its_formula(self, i: int, j: int) -> None:
        code = sinusoidal(256, 256)
        angle = i / 10_000 ** (2 * j / 256)
        assert float(code[i, 2 * j]) == pytest.approx(math.sin(angle), abs=1e-6)
        assert float(code[i, 2 * j + 1]) == pytest.approx(math.cos(angle), abs=1e-6)

    def test_the_base_moves_the_slowest_wave_and_not_the_fastest(self) -> None:
        small, large = sinusoidal(50, 8, base=100.0), sinusoidal(50, 8)
        assert torch.equal(small[:, :2], large[:, :2])
        assert float(small[10, 7]) == pytest.approx(math.cos(10 / 100**0.75), abs=1e-6)

    def test_every_code_is_as_long_as_the_next(self) -> None:
        torch.testing.assert_close(sinusoidal(300, 64).norm(dim=-1), torch.full((300,), math.sqrt(32)))

    def test_an_odd_width_leaves_out_the_last_cosine(self) -> None:
        torch.testing.assert_close(sinusoidal(9, 5)[:, 4], (torch.arange(9) / 10_000 ** (4 / 5)).sin().float())

    def test_a_wave_repeats_after_its_wavelength(self) -> None:
        waves = wavelengths(8, base=16.0)
        torch.testing.assert_close(waves, 2 * math.pi * torch.tensor([1.0, 2, 4, 8]).double())

    def test_similarity_is_the_inner_product_at_every_place(self) -> None:
        codes = sinusoidal(80, 32).double()
        offsets = torch.arange(-10.0, 11.0)
        expected = similarity(32, offsets)
        assert float(expected[10]) == 16
        for i in (10, 33, 69):
            torch.testing.assert_close(codes[i - 10 : i + 11] @ codes[i], expected, atol=1e-5, rtol=0)


class TestRotation:
    @pytest.mark.parametrize("offset", [-7, 0, 1, 40])
    def test_it_moves_every_code_by_the_offset(self, offset: int) -> None:
        codes = sinusoidal(100, 64).double()
        positions = torch.arange(10, 60)
        moved = codes[positions] @ rotation(64, offset).T
        torch.testing.assert_close(moved, codes[positions + offset], atol=1e-6, rtol=0)

    def test_it_is_orthogonal_and_offsets_add_up(self) -> None:
        once, twice = rotation(16, 3.5), rotation(16, 7.0)
        torch.testing.assert_close(once @ once.T, torch.eye(16).double())
        torch.testing.assert_close(once @ once, twice)

    @pytest.mark.parametrize("d_model", [0, 1, 7])
    def test_components_come_in_pairs(self, d_model: int) -> None:
        for turned in (lambda: rotation(d_model, 1), lambda: rotary_angles(torch.arange(3), d_model)):
            with pytest.raises(ValueError, match="in pairs"):
                turned()


class TestRotary:
    def test_a_product_knows_only_how_far_apart_they_are(self) -> None:
        query, key = torch.randn(1, 8).double(), torch.randn(1, 8).double()

        def product(m: int, n: int) -> Tensor:
            return (rotate(query, torch.tensor([m])) @ rotate(key, torch.tensor([n])).T)[0, 0]

        for m, n in ((3, 1), (503, 501), (2, 0)):
            torch.testing.assert_close(product(m, n), product(12, 10))
        assert abs(float(product(3, 1) - product(1, 3))) > 1e-3

    def test_position_0_is_left_alone_and_lengths_stay(self) -> None:
        x = torch.randn(2, 4, 10, 6)
        turned = rotate(x, torch.arange(10))
        assert torch.equal(turned[..., 0, :], x[..., 0, :])
        torch.testing.assert_close(turned.norm(dim=-1), x.norm(dim=-1))

    def test_a_quarter_turn(self) -> None:
        turned = rotate(torch.tensor([[1.0, 0.0]]), torch.tensor([math.pi / 2]))
        torch.testing.assert_close(turned, torch.tensor([[0.0, 1.0]]))

    def test_it_turns_the_sinusoidal_code_backwards(self) -> None:
        """p = (sin, cos) runs clockwise: turning p(i) by −δ gives p(i + δ)."""
        codes = sinusoidal(30, 8)
        torch.testing.assert_close(rotate(codes[:20], torch.full((20,), -10)), codes[10:], atol=1e-5, rtol=0)

    def test_equals_gpt_j(self) -> None:
        from transformers.models.gptj import modeling_gptj as theirs_of  # takes seconds: not where tests are collected

        x = torch.randn(2, 30, 4, 16)  # their [batch, positions, heads, d_key]
        sine, cosine = theirs_of.create_sinusoidal_positions(30, 16).chunk(2, dim=-1)
        theirs = theirs_of.apply_rotary_pos_emb(x, sine[None], cosine[None])
        torch.testing.assert_close(rotate(x.transpose(1, 2), torch.arange(30)), theirs.transpose(1, 2))

    def test_equals_llama_after_reordering_the_components(self) -> None:
        from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

        query, key = torch.randn(2, 4, 30, 16), torch.randn(2, 4, 30, 16)
        angles = rotary_angles(torch.arange(30), 16).float().repeat(1, 2)[None]
        theirs = apply_rotary_pos_emb(query, key, angles.cos(), angles.sin())
        halves = torch.arange(16).view(2, 8).T.flatten()  # 0, 8, 1, 9, …
        for x, expected in zip((query, key), theirs, strict=True):
            torch.testing.assert_close(rotate(x[..., halves], torch.arange(30)), expected[..., halves])


class TestAlibi:
    def test_eight_heads_halve_from_a_half(self) -> None:
        torch.testing.assert_close(alibi_slopes(8), 0.5 ** torch.arange(1.0, 9.0))

    @pytest.mark.parametrize("n_heads", [1, 2, 3, 4, 6, 7, 12, 16, 20])
    def test_slopes_and_bias_equal_bloom(self, n_heads: int) -> None:
        """Bloom adds slope · key position: another constant in each row, which a softmax does not see."""
        from transformers.models.bloom.modeling_bloom import build_alibi_tensor

        theirs = build_alibi_tensor(torch.ones(1, 9), n_heads, torch.float32).view(n_heads, 1, 9)
        slopes = alibi_slopes(n_heads)
        torch.testing.assert_close(theirs[:, 0, 1], slopes)
        ours, allowed = alibi_bias(9, 9, slopes), causal(9, 9)
        shift = (ours - theirs).masked_fill(~allowed, 0)
        expected = (-slopes[:, None, None] * torch.arange(9.0)[:, None]).expand(-1, -1, 9).masked_fill(~allowed, 0)
        torch.testing.assert_close(shift, expected)

    def test_no_heads(self) -> None:
        with pytest.raises(ValueError, match="at least 1"):
            alibi_slopes(0)

    def test_distance_counts_from_the_query(self) -> None:
        bias = alibi_bias(2, 4, torch.tensor([0.5, 2.0]))
        assert bias[0].tolist() == [[-1, -0.5, 0, -0.5], [-1.5, -1, -0.5, 0]]
        assert torch.equal(bias[1], 4 * bias[0])

    def test_causal_forbids_the_future(self) -> None:
        bias = alibi_bias(5, 5, alibi_slopes(4), causal=True)
        assert torch.equal(bias.isfinite(), causal(5, 5).expand(4, 5, 5))
