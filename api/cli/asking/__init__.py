"""How a command's question is answered: by a service of this user that runs already, or else in this process."""
