"""The web page: the files that browsers get, and the addresses at which they lie."""
