"""Tables to files: CSV, Markdown, HTML, charts, and where they came from."""
