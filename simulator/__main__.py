"""``python -m simulator`` is ``paramscope``."""

from simulator.cli import main

main()
