# The public keys of a referee, oldest first: key, from when, until when (UTC). '-' is not known,
# or still in use.
8ded40821a8f23e0eb1997642b85e7e28d320b00260e04603781661e469ea2e8 2026-11-22T14:55:05.626631Z -
