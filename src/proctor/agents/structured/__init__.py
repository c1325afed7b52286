"""The structured agent family: a scaffold over any chat model, with modules that can be switched off one by one."""
