"""The command line: the same engine without an editor. One file per command; each imports what it
needs when it runs."""
