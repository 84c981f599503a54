BEGIN { trace((int)"a"); exit(0); }
