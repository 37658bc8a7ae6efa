"""Profiles and pipelines as files that people can read: built-in < user; a book may only add."""
