"""The web page: the files for browsers, and their addresses."""
