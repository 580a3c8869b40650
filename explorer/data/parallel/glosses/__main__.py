"""`python -m explorer.data.parallel.glosses <folder> …`: counts what words mean and writes the lists anew."""

import argparse
from pathlib import Path

from explorer.data.parallel import glosses
from explorer.data.parallel.pairs import PairsError

parser = argparse.ArgumentParser(prog="python -m explorer.data.parallel.glosses", description=glosses.__doc__)
parser.add_argument("folders", type=Path, nargs="+")
try:
    glosses.write(glosses.HERE, glosses.count(parser.parse_args().folders))
except PairsError as error:
    parser.error(str(error))
