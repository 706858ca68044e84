"""``python -m dashboard`` is ``paramscope dashboard``."""

import sys

from simulator.cli import main

main(["dashboard", *sys.argv[1:]])
