"""The simulator's subcommands.  Each module imports click alone; what it runs is imported when it runs."""
