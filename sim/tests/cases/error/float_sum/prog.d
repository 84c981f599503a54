float f; BEGIN { @ = sum(f); exit(0); }
