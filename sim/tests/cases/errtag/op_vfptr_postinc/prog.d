void *p; BEGIN { p++; }
