"""The ground floor: canonical bytes, hashes, seeded streams, logical time, errors. Imports nothing of ours."""
