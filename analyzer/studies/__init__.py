"""One question each: from a scenario to tables."""
