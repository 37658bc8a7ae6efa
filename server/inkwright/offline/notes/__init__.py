"""Lecture notes: what their lines are, and the concepts that they come to."""
