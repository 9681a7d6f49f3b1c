"""``python -m api.cli``: the `athanor` command."""

from api.cli.main import main

if __name__ == "__main__":  # and not in a process that is spawned from here
    main()
