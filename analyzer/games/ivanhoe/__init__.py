"""Ivanhoe: tournaments of cards for tokens of four or five colours."""
