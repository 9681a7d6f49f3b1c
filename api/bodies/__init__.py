"""What bodies of requests hold, as models that check them and describe them."""
