"""Numbers in the answers of the exercises."""

from explorer.attention.architectures_cost import cost, equal_cost
from explorer.lessons import architectures as lesson
from explorer.lessons.architectures import state
from explorer.lessons.architectures.compute import walks
from explorer.records.wording import FLOAT, said_size, spell_large_number


def values() -> dict[str, str]:
    """Return what fills the placeholders of the answers."""
    steps = {
        kernel: {each.name: each.steps for each in walks(lesson.Params(kernel=kernel), 0, state.POSITIONS - 1)}
        for kernel in (3, 5)
    }
    wide = lesson.Params(d=128, kernel=7).sizes()
    one, eight = (cost("attention", lesson.Params(n=4096, heads=heads).sizes()) for heads in (1, 8))
    return {
        "three": str(steps[3]["convolution"]),
        "five": str(steps[5]["convolution"]),
        "dilated": str(steps[3]["dilated"]),
        "equal_recurrence": f"{equal_cost('recurrence', 'n', wide):.0f}",
        "equal_convolution": f"{equal_cost('convolution', 'n', wide):.0f}",
        "operations": spell_large_number(one.operations),
        "one_head": said_size(FLOAT * one.matrix),
        "eight_heads": said_size(FLOAT * eight.matrix),
    }
