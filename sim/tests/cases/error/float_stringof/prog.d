float f; BEGIN { trace(stringof(f)); exit(0); }
