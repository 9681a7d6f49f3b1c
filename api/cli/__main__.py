"""``python -m api.cli``: the `athanor` command."""

from api.cli.main import main

if __name__ == "__main__":  # not in a spawned process
    main()
