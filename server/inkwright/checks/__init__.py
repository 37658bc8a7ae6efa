"""Offline proofreading by rules."""
