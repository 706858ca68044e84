"""Layouts and callbacks."""
