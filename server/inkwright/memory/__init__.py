"""What a book's writer said they like and decided: found by rules, kept, and brought along when it matters."""
