"""How late an answer may be in a test, where a busy machine may stop a process at any moment."""

# Seconds after a limit. What forgets its limit is late by many seconds, and such tests are to find that. How late
# answers really are is for the benchmarks to say.
LATE = 3.0
