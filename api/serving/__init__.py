"""Serving: connections and what is done to slow ones, threads that answer, and a stop that loses nothing."""
