"""The rule engine behind the port of a model: what can be done without one, and that it is rules."""
