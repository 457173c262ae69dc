"""The engine plays any game that implements the verbs; it knows none of them."""
