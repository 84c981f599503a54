-- An error that is no text has no address in its place.
error(print)
