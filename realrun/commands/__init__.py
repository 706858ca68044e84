"""The subcommands that start real processes.  Each module imports click alone."""
