BEGIN { args(1); }
