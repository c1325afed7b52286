"""The texts of the seven corpora, one file each, and of the corpus of further probes."""
