"""The suite `agency`: families for every level of every dimension of the Agency Vector."""
