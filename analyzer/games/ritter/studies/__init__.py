"""The questions only Ritter has."""
