"""The scenario file: frozen values, their loader, and the faults it reports."""
