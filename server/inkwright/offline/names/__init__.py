"""Names of people, places and things, found in a text by pattern."""
