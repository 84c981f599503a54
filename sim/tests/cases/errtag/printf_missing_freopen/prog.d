BEGIN { freopen("/tmp/%d"); }
