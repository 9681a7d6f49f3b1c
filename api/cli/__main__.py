"""``python -m api.cli``: the `athanor` command."""

import os
import sys

if __name__ == "__main__":  # not in a spawned process
    # Python puts the current folder first on the path, where any files may lie.
    ours = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    if not sys.flags.safe_path and os.path.realpath(sys.path[0]) != ours:
        del sys.path[0]
    from api.cli.main import main

    main()
