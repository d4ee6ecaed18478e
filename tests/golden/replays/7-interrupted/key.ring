# The public keys of a referee, oldest first: key, from when, until when (UTC). '-' is not known,
# or still in use.
abb48defe9afc11e9ca669f8d32b42a2c84361483fee2c633aa74008b7adda61 2026-11-27T11:53:10.447254Z -
