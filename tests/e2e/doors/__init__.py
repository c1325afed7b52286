"""One agent behind every door: the built-in clerk, copied out of Proctor into a folder of its own."""
