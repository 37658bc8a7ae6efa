"""Gemini's streamGenerateContent, and the servers that speak it."""

NAME = "gemini"
"""Under which this wire's opaque state rides in `carry`."""
