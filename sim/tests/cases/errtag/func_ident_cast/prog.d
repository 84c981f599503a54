BEGIN { ((int)1)(2); }
