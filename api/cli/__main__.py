"""``python -m api.cli``: the `athanor` command."""

from api.cli.main import main

main()
