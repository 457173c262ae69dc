"""One question each: what it is about in, an `Answer` out. `analyzer/catalogue.py` declares them."""
