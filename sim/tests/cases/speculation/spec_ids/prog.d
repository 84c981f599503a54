BEGIN { printf("%d %d %d %d", speculation(), speculation(), speculation(), speculation()); exit(0); }
