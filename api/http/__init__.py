"""The routes: what is sent and sent back, how many searches run at once, every error in the same form."""
