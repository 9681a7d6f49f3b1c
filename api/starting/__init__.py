"""Getting the games ready while the server already answers: what is ready, who compiles, what a person sees."""
