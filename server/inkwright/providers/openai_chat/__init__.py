"""The chat-completions wire that OpenAI began and most servers speak."""
