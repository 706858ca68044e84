"""The processes of a training cluster as simpy sees them."""
