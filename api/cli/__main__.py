"""The `athanor` command, also as ``python -m api.cli``."""

import os
import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    # Python puts the current folder first on the path, where any files may lie.
    ours = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    if os.path.realpath(sys.path[0]) != ours:
        del sys.path[0]

import signal

# Ctrl-C just ends a command that has not begun, instead of showing what was imported at that moment.
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from api.cli.main import main

if __name__ == "__main__":  # not in a spawned process
    main()
