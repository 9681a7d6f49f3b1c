"""The terminal: options, inputs and outputs, progress, Ctrl-C, failures. Modules import click alone at the top."""
