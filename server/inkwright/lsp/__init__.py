"""The language server: the only room that knows pygls, lsprotocol and LSP's types."""
