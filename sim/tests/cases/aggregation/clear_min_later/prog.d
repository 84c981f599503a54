BEGIN { @a = min(5); @b = max(-5); clear(@a); clear(@b); }
tick-100ms { @a = min(7); @b = max(-7); i++; }
tick-100ms /i == 30/ { exit(0); }
