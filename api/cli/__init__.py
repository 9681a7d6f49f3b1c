"""The `athanor` command. Modules import nothing heavier than click at the top, so that `--help` is quick."""
