"""Fredericus: falcons round the Castel del Monte, rows of open cards, secret goals and bets."""
