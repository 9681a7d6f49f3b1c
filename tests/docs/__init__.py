"""The documentation, run: every console block and every Python block of README.md and docs/."""
