"""Widgets that several scenes share, all bound to the link."""

from explorer.lessons import scoring_functions as lesson
from explorer.lessons.scoring_functions import state
from explorer.lessons.scoring_functions.saturation import Draws
from explorer.records.language import t
from explorer.ui import choice, messages
from explorer.ui.scene import rail

LENGTHS = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512)
SAME = "same"


def length() -> int:
    """Ask for the length of the queries."""
    return choice.select_slider(t("d, length of the queries"), LENGTHS, key="sf_d")


def vectors(d: int, *, masked: bool = True) -> lesson.Params:
    """Ask, in the fold, for what else is drawn.

    Args:
        masked: whether keys can be hidden from a query.
    """
    with rail.more():
        drawn = _draws()
        same = {SAME: t("same as queries")} | {str(length): str(length) for length in LENGTHS}
        d_key = choice.select(t("Length of the keys"), same, key="sf_dk")
        lengths = valid_lengths(key="sf_lengths") if masked else ()
    return lesson.Params(
        d_query=d,
        d_key=d if d_key == SAME else int(d_key),
        n_keys=drawn.n_keys,
        temperature=drawn.temperature,
        valid_lengths=lengths,
        seed=drawn.seed,
    )


def draws() -> Draws:
    """Ask, in the fold, for keys, temperature and seed."""
    with rail.more():
        return _draws()


def refusal(said: str) -> None:
    """Say, above the stage, why some functions are missing; nothing where none is."""
    if said:
        messages.info(said, ":material/straighten:")


def _draws() -> Draws:
    n_keys = choice.slider(t("Number of keys"), 2, state.MOST_KEYS, key="sf_keys")
    temperature = choice.slider(t("Temperature"), 0.1, 10.0, 0.1, key="sf_t")
    seed = choice.slider(t("Seed"), 0, 99, key="sf_seed")
    return Draws(n_keys=n_keys, temperature=temperature, seed=seed)


def valid_lengths(*, key: str) -> tuple[int, ...]:
    """Ask how many keys each query may see; none, and a message, where the answer cannot be read."""
    example = t("all keys, or for example 3, 5, 8")
    said = t("How many keys each query may attend to, one number for each query; the last holds for the rest.")
    typed = choice.text(t("Valid lengths"), 40, key=key, placeholder=example, help=said)
    try:
        return state.parse_valid_lengths(typed)
    except state.ValidLengthsError:
        messages.warning(
            t("Valid lengths must be at most four whole numbers, such as 3, 5, 8. Until then every key is valid."),
            ":material/edit:",
        )
        return ()
