"""Anthropic Messages, and the servers that speak it."""

NAME = "anthropic"
"""Under which this wire's opaque state rides in `carry`."""
