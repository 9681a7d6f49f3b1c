"""An attack on the service: random requests, most of them strange, and checks that hold for every answer.

Each request has a number, and the same number is the same request for ever; ``python -m tests.attack --help``
tells how to send them, and the page `docs/reliability.md` what came of it.
"""
