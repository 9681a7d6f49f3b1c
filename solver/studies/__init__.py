"""What surveys of games with several seats share: each is a few lines in the game that it is of."""
