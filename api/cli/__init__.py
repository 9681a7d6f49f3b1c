"""The `athanor` command. Modules import click alone at the top, so that `--help` is quick."""
