"""How positions, answers and scores are shown to people, in rows and cards."""
