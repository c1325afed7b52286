"""Asking models over HTTP: connections, patience, and as many requests at once as a provider bears."""
