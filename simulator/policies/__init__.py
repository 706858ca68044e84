"""Decisions without a clock."""
