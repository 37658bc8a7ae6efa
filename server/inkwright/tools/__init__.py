"""What a model may do: read this book. Bound by the server to one book and one snapshot."""
