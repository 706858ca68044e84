"""``python -m realrun`` is ``paramscope realrun``."""

import sys

from simulator.cli import main

main(["realrun", *sys.argv[1:]])
