BEGIN { freopen(); }
