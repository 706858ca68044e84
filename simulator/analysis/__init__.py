"""Questions asked of any run, simulated or real, by the same code."""
