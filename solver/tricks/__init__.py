"""What trick games share, for any number of seats and any deck."""
