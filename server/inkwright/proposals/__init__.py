"""A model's rewrite as hunks that wait for the writer: made, guarded, placed, decided. No I/O."""
