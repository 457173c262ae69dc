"""`python -m analyzer` is the command `analyzer`."""

from analyzer.cli import main

main()
