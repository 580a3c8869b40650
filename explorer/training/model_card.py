"""Model cards, filled in from what is known about a run so that no number is typed by hand."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from explorer.checkpoints.manifest import Manifest

CARD = "card.md"
#: A name that a template has and nobody gives is an error, which `huggingface_hub.ModelCard.from_template` would leave
#: out in silence.
TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent),
    undefined=StrictUndefined,
    autoescape=False,  # noqa: S701 (Markdown, of our own)
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
TEMPLATES.filters["fmt"] = format


def model_card(
    kind: str,
    name: str,
    manifest: Manifest,
    facts: Mapping[str, Any] | None = None,
    *,
    n_parameters: int,
    hardware: str = "",
    **more: Any,
) -> str:
    """Return a filled card.

    Args:
        kind: of training: the folder beside this file that has the template.
        manifest: of the checkpoint; its fields and those of its configuration are names in the template.
        facts: the run's state: step, epoch, minutes, schedule, training.
        n_parameters: tied ones counted once.
        hardware: a sentence about the machine; empty where it is not known.
        more: what this template asks for beside these.
    """
    stated = {each: getattr(manifest, each) for each in ("family", "data", "licence", "command", "seed", "metrics")}
    context = {**(_course(facts) if facts else {}), **manifest.config, **stated, "n_parameters": n_parameters, **more}
    return TEMPLATES.get_template(f"{kind}/{CARD}").render({**context, "name": name, "hardware": hardware})


def _course(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a card says of the course of a run."""
    return {
        **facts["training"],
        "decay_share": 1 - facts["schedule"]["decay_from"] / facts["schedule"]["horizon"],
        "steps": facts["step"],
        "epochs": facts["epoch"] + 1,
        "minutes": facts["minutes"],
    }
