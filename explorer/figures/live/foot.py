"""Words of the foot that plays a live picture, for `player.js`."""

from explorer.records.language import t


def name_buttons() -> dict[str, str]:
    """Return what its buttons are called."""
    return {
        "play": t("Play"),
        "pause": t("Pause"),
        "back": t("Step back"),
        "forward": t("Step on"),
        "speed": t("Speed"),
    }
