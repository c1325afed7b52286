"""`python -m proctor`: the command line, where the script is not on the path."""

from proctor.cli.main import main

main()
