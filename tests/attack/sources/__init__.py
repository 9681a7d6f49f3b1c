"""Where the requests of the attack come from: one module for each kind."""
