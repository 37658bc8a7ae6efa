"""What must not be lost (`inkwright.db`) and what can be rebuilt (`index.db`). The only room that speaks SQL."""
