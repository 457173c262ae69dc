"""Pig: one die, and the question when to stop. The model that `docs/adding-a-game.md` leads to; not shipped."""
