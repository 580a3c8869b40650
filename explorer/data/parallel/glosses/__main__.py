"""`python -m explorer.data.parallel.glosses <folder> …`: counts what words mean and writes the lists anew."""

import argparse
from pathlib import Path

from explorer.data.parallel.glosses import HERE, counting
from explorer.data.parallel.pairs import PairsError

parser = argparse.ArgumentParser(prog="python -m explorer.data.parallel.glosses", description=counting.__doc__)
parser.add_argument("folders", type=Path, nargs="+")
try:
    counting.write(HERE, counting.count(parser.parse_args().folders))
except PairsError as error:
    parser.error(str(error))
