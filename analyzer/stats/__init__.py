"""Numbers only: intervals, differences, rankings."""
