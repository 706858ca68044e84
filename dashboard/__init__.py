"""Run folders in the browser: one table of runs, one page per run or pair of runs."""
