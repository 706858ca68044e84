"""Tables to figures: pure functions."""
