"""`python -m proctor`: the command line, where the script is not on the path."""

from proctor.cli.main import main_as_module

main_as_module()
