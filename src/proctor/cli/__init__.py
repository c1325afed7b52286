"""The command line: one file per command. A command parses its options, calls the packages below it and prints."""
