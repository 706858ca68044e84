"""The trace contract: what a run folder holds, its writer and its reader (DESIGN section 4)."""
