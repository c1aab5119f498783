"""The hall beside its peers: what is measured, with what, and the report of it."""
