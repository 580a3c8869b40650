"""Records of what position codes do in trained models: tables, distances, permutations; beyond training, `beyond`."""

import numpy as np
import numpy.typing as npt

from explorer.lessons.positional_encoding.records.extrapolation import Kind
from explorer.records.arrays import Floats
from explorer.records.provenance import Provenance
from explorer.records.readonly import check, record


@record
class LearnedTableRecord:
    """The position codes that a model learned, as they are added to what it reads.

    Attributes:
        codes: float32, `[positions, d_model]`, the factor √d_model included.
        similarity: cosine of every two codes, float32, `[positions, positions]`.
        by_offset: mean cosine of two codes that are so many positions apart, from 0, `[positions]`.

    Raises:
        ValueError: if the shapes disagree.
    """

    codes: npt.NDArray[np.float32]
    similarity: npt.NDArray[np.float32]
    by_offset: Floats
    provenance: Provenance

    def __post_init__(self) -> None:
        n = len(self.codes)
        check(self.similarity.shape == (n, n) and self.by_offset.shape == (n,), "similarity must fit the codes")


@record
class RotaryPairRecord:
    """Score of one real query against one real key, had they stood at any other distance.

    Each part is a wave over the distance: the vectors are fixed, the distance turns them.

    Attributes:
        query_label: the character that asks.
        key_label: the character that is asked.
        actual: distance at which the two stand in the text, in characters: query's position minus key's.
        distances: from 0, `[distances]`.
        scores: rotate(q, δ)·k / √d_key at each distance, `[distances]`.
        parts: what each pair of components adds to the score, `[pairs, distances]`.
        amplitude: largest that each pair can add, |q_j||k_j| / √d_key, `[pairs]`.
        wavelengths: in characters, `[pairs]`.
        computed: the score that the model's own pass recorded at the actual distance.
        trained_length: distances from here on never occurred in training.

    Raises:
        ValueError: if the shapes disagree.
    """

    query_label: str
    key_label: str
    actual: int
    distances: npt.NDArray[np.int64]
    scores: Floats
    parts: Floats
    amplitude: Floats
    wavelengths: Floats
    computed: float
    trained_length: int
    provenance: Provenance

    def __post_init__(self) -> None:
        n, pairs = len(self.distances), len(self.wavelengths)
        check(self.scores.shape == (n,) and self.parts.shape == (pairs, n), "scores and parts must fit distances")
        check(self.amplitude.shape == (pairs,), "there must be one amplitude a pair")


@record
class DecayRecord:
    """Attention of one trained model against distance, mean over the positions of real text.

    Only queries that have all distances behind them count, so that every distance is averaged over the same queries.

    Attributes:
        kind: of its positions.
        distances: 0 is the query's own position, `[distances]`.
        weights: mean weight, `[layers, heads, distances]`.
        reach: how many distances, from 0, together hold less than half of a head's weight, `[layers, heads]`.
        trained_length: in characters.

    Raises:
        ValueError: if the shapes disagree.
    """

    kind: Kind
    distances: npt.NDArray[np.int64]
    weights: Floats
    reach: Floats
    trained_length: int
    provenance: Provenance

    def __post_init__(self) -> None:
        shape = (*self.reach.shape, len(self.distances))
        check(self.weights.shape == shape, f"weights must be {shape}: layers, heads, distances")

    @property
    def mean_weights(self) -> Floats:
        """Return the mean over all layers and heads, `[distances]`."""
        mean: Floats = self.weights.mean((0, 1))
        return mean


@record
class PermutationRecord:
    """An encoder read a sentence and the same words in another order, first without position codes, then with them.

    Token j of the new sentence is token `order[j]` of the sentence. Where an array begins with 2, its first part is
    without codes and its second with them.

    Attributes:
        labels: tokens of the sentence.
        moved_labels: tokens of the new sentence.
        words: of the sentence, which move whole.
        sizes: how many tokens each word has; the end of the sentence is one more.
        order: `[tokens]`.
        before: some components of each token's output in the sentence, in the new order, `[2, tokens, components]`.
        after: the same in the new sentence, `[2, tokens, components]`.
        change: ‖after − before‖ / ‖before‖ over all components, `[2, tokens]`.
        cosine: between the two outputs of each token, `[2, tokens]`.
        residual: largest difference of any component of any token, `[2]`.
        n_components: of a whole output.
        written: what the decoder writes for the new sentence, without codes and with them.

    Raises:
        ValueError: if the shapes disagree.
    """

    labels: tuple[str, ...]
    moved_labels: tuple[str, ...]
    words: tuple[str, ...]
    sizes: tuple[int, ...]
    order: npt.NDArray[np.int64]
    before: npt.NDArray[np.float32]
    after: npt.NDArray[np.float32]
    change: Floats
    cosine: Floats
    residual: Floats
    n_components: int
    written: tuple[str, str]
    provenance: Provenance

    def __post_init__(self) -> None:
        n = len(self.labels)
        check(sorted(self.order.tolist()) == list(range(n)), "order must be a permutation of the tokens")
        fits = len(self.words) == len(self.sizes) and sum(self.sizes) == n - 1
        check(fits, "every token but the last must belong to a word")
        check(self.before.shape == self.after.shape, "outputs must be compared component by component")
        for name in ("before", "after", "change", "cosine"):
            check(getattr(self, name).shape[:2] == (2, n), f"{name} must have two numbers for each of {n} tokens")

    @property
    def moved(self) -> npt.NDArray[np.bool_]:
        """Return which tokens of the new sentence stood at another position."""
        moved: npt.NDArray[np.bool_] = self.order != np.arange(len(self.order))
        return moved


@record
class OrdersRecord:
    """Translations of every order of a sentence's words.

    Attributes:
        without: its sentence for each order, without position codes.
        with_codes: the same with them.
    """

    without: tuple[str, ...]
    with_codes: tuple[str, ...]
    provenance: Provenance


@record
class EntryRecord:
    """The two parts that enter a trained model at each token: √d_model · E[token] + P[position].

    Attributes:
        raw: length of E[token], `[tokens]`.
        scaled: length of √d_model · E[token], `[tokens]`.
        position: length of P[position], `[tokens]`.
        total: length of the sum, `[tokens]`.
        cosine: between the two summands, `[tokens]`.
        factor: √d_model.

    Raises:
        ValueError: if the shapes disagree.
    """

    labels: tuple[str, ...]
    raw: Floats
    scaled: Floats
    position: Floats
    total: Floats
    cosine: Floats
    factor: float
    provenance: Provenance

    def __post_init__(self) -> None:
        for name in ("raw", "scaled", "position", "total", "cosine"):
            check(getattr(self, name).shape == (len(self.labels),), f"{name} must have one number for each token")
