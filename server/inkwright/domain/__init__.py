"""Nouns of the house: frozen data and the ports between the rooms. No I/O, no third-party imports."""
