# The public keys of a referee, oldest first: key, from when, until when (UTC). '-' is not known,
# or still in use.
e442e6ca2590397df3b3d6b61844f78e6cc3288dc6f3edca05f0efd3b83b2e13 2026-11-27T15:15:54.088049Z -
