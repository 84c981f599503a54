BEGIN { freopen(1); }
