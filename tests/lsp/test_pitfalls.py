"""Which test holds which public report on a server like ours, and the few that stand nowhere else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from inkwright.lsp.protocol import COMMANDS

TESTS = Path(__file__).parents[1]
HELD = {
    "openlawlibrary/pygls#302": "lsp/test_pitfalls_texts.py::test_edits",
    "palantir/python-language-server#770, python-lsp-server#343": "lsp/test_pitfalls_texts.py::test_edits",
    "astral-sh/ruff#13674": "lsp/test_pitfalls_texts.py::test_edits",
    "Automattic/harper pos_conv": "lsp/test_pitfalls_texts.py::test_a_hit_behind_an_emoji_is_repaired_and_nothing_else",
    "blopker/codebook#118": "lsp/test_pitfalls_texts.py::test_what_looks_like_one_character_counts_as_what_it_is",
    "lsp-ai file_store": "lsp/test_pitfalls_texts.py::test_a_model_sees_what_was_typed_where_it_was_typed",
    "vscode-markdown-languageservice#17": "lsp/test_pitfalls_texts.py::test_what_is_written_into_a_text_stays_readable",
    "microsoft/vscode#53590": "lsp/test_pitfalls_texts.py::test_links_to_headings_with_full_width_marks",
    "Automattic/harper#109": "lsp/test_pitfalls_texts.py::test_no_word_is_misspelt_for_being_chinese",
    "fortran-lang/fortls#443, language-server-protocol#80": "lsp/test_pitfalls_texts.py::test_edits",
    "astral-sh/ruff#16342": "lsp/test_pitfalls_texts.py::test_edits",
    "iwes/iwe": "lsp/test_pitfalls_texts.py::test_front_matter_in_any_line_ends",
    "markdown-inline-editor#160": "lsp/test_pitfalls_texts.py::test_links_to_headings_with_full_width_marks",
    "artempyanykh/marksman#34": "lsp/test_pitfalls_texts.py::test_edits",
    "artempyanykh/marksman cef7ab4": "lsp/test_pitfalls_texts.py::test_edits_where_nothing_is",
    "neovim/neovim#17085": "lsp/test_pitfalls_texts.py::test_edits_where_nothing_is",
    "marksman#344, marksman#345": "lsp/test_random_session.py::test_a_random_session",
    "zk-org/zk#461": "lsp/test_pitfalls_texts.py::test_lines_come_and_go_in_a_code_block",
    "marksman#246": "lsp/test_diagnostics.py::test_a_card_that_is_made_is_known_at_once",
    "markdown-oxide#152, markdown-oxide#118": "lsp/test_file_world_files.py::test_without_a_watcher_cheap_signals_do",
    "neovim/neovim#23291": "lsp/test_clients.py::test_the_watchers_are_narrow",
    "swyddfa/esbonio#291": "lsp/test_proofreading.py::test_deleting_clears_under_the_same_uri",
    "python-lsp-server#143, jedi-language-server#153": "lsp/test_proofreading.py::test_closing_clears",
    "anthropics/claude-code#76870": "lsp/test_navigation_clients.py::test_references_before_the_first_scan_is_done",
    "vscode-markdown-languageservice#150": "lsp/test_pitfalls_texts.py::test_what_is_written_into_a_text_stays_readable",
    "markdown-oxide f4ff088": "lsp/test_diagnostics_pushed.py::test_a_burst_of_keys_and_a_hover",
    "valentjn/vscode-ltex#253": "lsp/test_proofreading.py::test_latest_wins",
    "foam#1689": "unit/manuscript/test_buffer.py::test_work_does_not_grow_with_the_document",
    "vscode-markdown-languageservice#183": "lsp/test_pitfalls_texts.py::test_a_very_long_text",
    "marksman#373": "lsp/test_file_world_folders.py::test_a_folder_full_of_other_things",
    "marksman#472, marksman#317": "lsp/test_file_world_files.py::test_links_in_a_book",
    "microsoft/lsprotocol#441": "lsp/test_process.py::test_nothing_but_pygls_before_initialize",
    "marimo-lsp#441": "lsp/test_file_world_files.py::test_every_name_in_every_spelling",
    "astral-sh/ruff#12660, ruff#15392": "lsp/test_file_world_files.py::test_documents_without_a_file",
    "marksman#144, marksman#380": "lsp/test_clients.py::test_folders_that_are_none",
    "tekumara/typos-lsp#318": "lsp/test_file_world_folders.py::test_a_folder_that_nobody_may_read",
    "marksman#241": "lsp/test_pitfalls_texts.py::test_four_spellings_of_one_file",
    "pygls#517, pygls#587, pygls#621": "lsp/test_protocol.py::test_cancelled_in_the_same_chunk_never_runs",
    "pygls#173, vscode-ltex#325": "lsp/test_process.py::test_end_of_input",
    "pygls#240, vscode-ltex#68": "lsp/test_process.py::test_nothing_but_the_protocol_goes_to_stdout",
    "harper#2309": "lsp/test_clients.py::test_no_configuration_at_all",
    "jedi-language-server#84": "lsp/test_pitfalls_texts.py::test_a_document_whose_version_is_nought",
    "neovim#23903": "lsp/test_clients.py::test_encodings",
    "dockerfile-language-server#270, markdown-oxide#210, harper#1100": "lsp/test_pitfalls.py::test_repairs_without_edits_from_the_server",
    "vale-ls#11": "lsp/test_pitfalls_texts.py::test_what_is_checked_is_what_is_typed",
}


@pytest.mark.parametrize("report", HELD)
def test_every_report_has_its_test(report: str) -> None:
    """The test that holds a report is there."""
    file, name = HELD[report].split("::")
    assert re.search(rf"^(async )?def {name}\(", (TESTS / file).read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_repairs_without_edits_from_the_server(start, encoding):
    """Helix, Zed: without applyEdit every quick fix still brings its own edit, and needs no command of the client's."""
    literals = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}
    editor = await start(encoding=encoding, capabilities={"textDocument": {"codeAction": literals}})
    uri = editor.open("第三章.md", "😀他来了,走了。见[[林下]]。\n")
    everything = {"textDocument": {"uri": uri}, "range": editor.range(uri, 0, len(editor.texts[uri]))}
    asked = {**everything, "context": {"diagnostics": [], "only": ["quickfix"]}}
    found = await editor.client.call("textDocument/codeAction", asked)
    repairs = [one for one in found if one.get("isPreferred")]
    assert repairs
    assert all("edit" in one for one in repairs)
    assert {one["command"]["command"] for one in found if "command" in one} <= set(COMMANDS)
