"""Aqua Regia: a climbing game of metals in fields that change; the first to run out of cards wins."""
