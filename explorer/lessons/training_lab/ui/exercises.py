"""Numbers in the answers of the exercises, from the recorded trainings."""

from explorer.training.lab.reference_runs import read_runs


def values() -> dict[str, str]:
    """Return what fills the placeholders of the answers."""
    runs = read_runs()
    alone = runs["none"].lengths
    good = max(length for length, (n, right) in alone.items() if right >= 0.9 * n)
    longest = max(alone)
    own = runs["own"].points[-1]
    return {
        "short": str(good),
        "long": str(longest),
        "long_right": f"{alone[longest][1] / alone[longest][0]:.0%}",
        "long_with": f"{runs['reverse'].lengths[longest][1] / runs['reverse'].lengths[longest][0]:.0%}",
        "copy_exact": f"{runs['no_positions'].points[-1].accuracy:.0%}",
        "loss": f"{own.loss:.2g}",
        "held_out_loss": f"{own.held_out_loss:.2g}",
    }
