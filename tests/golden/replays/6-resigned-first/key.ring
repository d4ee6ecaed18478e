# The public keys of a referee, oldest first: key, from when, until when (UTC). '-' is not known,
# or still in use.
781af449406ec9f4ee31fddf5f7367a267f51e4c9962b9a120bc8e64e61230aa 2026-11-27T03:06:11.162121Z -
