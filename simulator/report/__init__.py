"""Runs and comparisons as text, Markdown, JUnit and HTML."""
