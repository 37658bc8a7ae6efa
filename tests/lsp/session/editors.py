"""What editors say that they can do."""

from __future__ import annotations

from typing import Any

TOKENS: dict[str, Any] = {
    "requests": {"range": True, "full": {"delta": True}},
    "tokenTypes": [],
    "tokenModifiers": [],
    "formats": ["relative"],
}
ACTIONS = {
    "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix", "refactor", "source"]}},
    "dataSupport": True,
    "isPreferredSupport": True,
    "resolveSupport": {"properties": ["edit", "command"]},
}
VSCODE: dict[str, Any] = {
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "workspaceFolders": True,
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": ["create", "rename", "delete"],
            "failureHandling": "textOnlyTransactional",
            "changeAnnotationSupport": {"groupsOnLabel": True},
        },
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True},
        "symbol": {"resolveSupport": {"properties": ["location.range"]}},
        "fileOperations": {"didRename": True, "willRename": True},
        "codeLens": {"refreshSupport": True},
        "semanticTokens": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
        "diagnostics": {"refreshSupport": True},
    },
    "textDocument": {
        "synchronization": {"didSave": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "definition": {"linkSupport": True},
        "typeDefinition": {"linkSupport": True},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "completion": {"completionItem": {"snippetSupport": True, "insertReplaceSupport": True}},
        "codeAction": ACTIONS,
        "rename": {"prepareSupport": True},
        "foldingRange": {"rangeLimit": 5000},
        "semanticTokens": {**TOKENS, "augmentsSyntaxTokens": True},
        "inlayHint": {"dynamicRegistration": True},
        "callHierarchy": {},
        "diagnostic": {"relatedDocumentSupport": False},
        "publishDiagnostics": {"relatedInformation": True, "versionSupport": True},
    },
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
}
NEOVIM: dict[str, Any] = {
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "workspaceFolders": True,
        "workspaceEdit": {"resourceOperations": ["rename", "create", "delete"]},
        "didChangeConfiguration": {"dynamicRegistration": False},
        "didChangeWatchedFiles": {"dynamicRegistration": False},
        "symbol": {"dynamicRegistration": False},
        "semanticTokens": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
    },
    "textDocument": {
        "synchronization": {"didSave": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "definition": {"linkSupport": True},
        "typeDefinition": {"linkSupport": True},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "completion": {"completionItem": {"snippetSupport": True}},
        "codeAction": ACTIONS,
        "rename": {"prepareSupport": True},
        "foldingRange": {"lineFoldingOnly": True},
        "semanticTokens": TOKENS,
        "inlayHint": {},
        "callHierarchy": {},
        "diagnostic": {},
        "publishDiagnostics": {"relatedInformation": True},
    },
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
}
PLAIN: dict[str, Any] = {
    "workspace": {"applyEdit": True, "configuration": True, "symbol": {}},
    "textDocument": {
        "hover": {"contentFormat": ["plaintext"]},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
        "completion": {"completionItem": {"snippetSupport": False}},
        "rename": {"prepareSupport": True},
        "semanticTokens": TOKENS,
        "inlayHint": {},
        "publishDiagnostics": {},
    },
}
"""One that knows no versions in edits, watches no files, and waits for diagnostics instead of asking."""
EDITORS = {"vscode": VSCODE, "neovim": NEOVIM, "plain": PLAIN}
