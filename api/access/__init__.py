"""Who may ask a service that strangers reach, and how much."""
