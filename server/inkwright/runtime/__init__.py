"""Runs: the loop between a model and the tools, through ports; imports domain, i18n and nothing above."""
