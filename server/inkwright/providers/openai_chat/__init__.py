"""The chat-completions wire that OpenAI began and most servers speak."""

NAME = "openai"
"""Under which this wire's opaque state rides in `carry`."""
