"""The answers as they are: thousands of requests to the service and the command, each kept as a hash.

`python -m tests.frozen` asks them all and lists what differs.
"""
