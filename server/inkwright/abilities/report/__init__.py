"""A book as a whole on one page: counts, pace, dialogue, cast, threads, checks."""
