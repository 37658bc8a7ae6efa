"""What only the whole chapter tells: counted paragraph by paragraph, judged from the sums."""
