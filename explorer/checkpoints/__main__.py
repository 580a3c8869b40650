"""Send a checkpoint to the Hugging Face Hub: `python -m explorer.checkpoints push runs/a you/translator --send`.

Without `--send` it says what would be sent, and sends nothing. The token is taken from `HF_TOKEN`.

`python -m explorer.checkpoints fetch` says what a wheel has left out, and how large it is; with `--from you` it fetches
that from the repositories of this account, such as `push` makes, and takes only files whose hash the wheel knows.

`python -m explorer.checkpoints convert org/name@revision` makes a checkpoint of a Marian translator that others made.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from explorer.checkpoints.hub import ADDRESS, bring, fetch
from explorer.checkpoints.manifest import BUNDLED, WEIGHTS, CheckpointError, list_left_out, read_left_out
from explorer.checkpoints.push import prepare, send


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what is asked; return 2 and say why where that cannot be."""
    given = _parser().parse_args(arguments)
    try:
        given.work(given)
    except (CheckpointError, ValueError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m explorer.checkpoints", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    words = parser.add_subparsers(required=True, metavar="what")
    push = words.add_parser("push", help="send a checkpoint with its card to the Hub")
    push.add_argument("folder", type=Path, help="of the checkpoint")
    push.add_argument("repo", help="org/name; made if it is not there")
    push.add_argument("--send", action="store_true", help="send it; otherwise it is only said what would be sent")
    push.add_argument("--private", action="store_true", help="if the repository is made, nobody else sees it")
    push.set_defaults(work=_push)
    brought = words.add_parser("fetch", help="say what a wheel has left out, and fetch it")
    brought.add_argument("names", nargs="*", help="all of them if none is named")
    brought.add_argument(
        "--from",
        dest="owner",
        default=os.environ.get("EXPLORER_HUB", ""),
        help="account of the Hub; EXPLORER_HUB if not given; without either nothing is fetched",
    )
    brought.set_defaults(work=_fetch)
    convert = words.add_parser("convert", help="make a checkpoint of ours of a Marian translator of transformers")
    convert.add_argument("model", help="org/name@revision with the 40 digits of a commit on the Hub, or a folder")
    convert.add_argument("into", type=Path, nargs="?", help="folder to make; by default that of the model's name, here")
    convert.add_argument("--name", default="", help="of the model, where a folder's own says too little")
    convert.add_argument(
        "--allow-pickle",
        action="store_true",
        help="where there are no safetensors, read pytorch_model.bin as weights alone; only if you trust its origin",
    )
    convert.set_defaults(work=_convert)
    return parser


def _push(given: argparse.Namespace) -> None:
    parcel = prepare(given.folder, given.repo)
    for name, size in parcel.sizes.items():
        sys.stdout.write(f"{size:>12,}  {name}\n")
    sys.stdout.write(f"{parcel.manifest.family}, licence: {parcel.manifest.licence}\n")
    if not given.send:
        sys.stdout.write(f"Nothing was sent to {given.repo}: add --send.\n")
        return
    sys.stdout.write(f"{send(parcel, private=given.private)}\n")


def _fetch(given: argparse.Namespace) -> None:
    names = given.names or list_left_out()
    for name in names:
        size = sum(file.size_bytes for file in read_left_out(BUNDLED / name).files.values())
        sys.stdout.write(f"{size / 1e6:>8.1f} MB  {name}\n")
    if not names:
        sys.stdout.write("Nothing was left out.\n")
    elif not given.owner:
        sys.stdout.write("Nothing was fetched: add --from and the account of the Hub that has them.\n")
        return
    for name in names:
        bring(name, given.owner)
        sys.stdout.write(f"{name} is there.\n")


def _convert(given: argparse.Namespace) -> None:
    from explorer.checkpoints.marian import convert, peer  # which load torch: `push` needs no more than the Hub

    address, folder = ADDRESS.fullmatch(given.model), Path(given.model)
    if address:
        weights = (WEIGHTS, convert.PICKLED) if given.allow_pickle else (WEIGHTS,)
        folder = fetch(address["repo"], revision=address["revision"], files=(*convert.FILES, *weights))
    name = given.name or (given.model if address else folder.resolve().name)
    into = given.into or Path(folder.name if not address else address["repo"].rpartition("/")[2])
    if into.exists() and any(into.iterdir()):
        raise ValueError(f"{into} is there already: name another folder, or take it away")
    made = convert.convert(folder, into, name=name, allow_pickle=given.allow_pickle)
    difference = made.metrics.get(peer.METRIC)
    said = "not compared: transformers is not installed" if difference is None else f"{difference:.1e}"
    directions = made.config["directions"] or "not known"
    sys.stdout.write(f"{into}: {made.config['vocab_size']:,} sub-words, directions: {directions}\n")
    sys.stdout.write(f"licence: {made.licence}; largest difference of a logit from transformers: {said}\n")


if __name__ == "__main__":
    sys.exit(main())
