"""The calls of the service, a module for each family, with their routes."""
