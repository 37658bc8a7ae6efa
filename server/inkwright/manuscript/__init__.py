"""The manuscript: chapters, cards and words as found in files and buffers. Pure over text; one place walks files."""
