"""Sensing Adequacy (S): what a system gets out of its observations, and which further ones it asks for.

One family a level: header fields (S1), what a ticket leaves unsaid (S2), the missing part of a log (S3), scanned
invoices (S4), questions over a hundred documents (S5).
"""
