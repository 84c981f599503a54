BEGIN { if (1) }
