"""The question only Die Glücksritter has."""
