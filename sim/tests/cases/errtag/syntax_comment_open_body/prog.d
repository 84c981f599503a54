BEGIN { /* a
}
