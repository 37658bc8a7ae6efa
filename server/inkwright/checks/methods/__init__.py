"""The methods that rule families name: each turns a family's data into a finder."""
