BEGIN { printf("%d", timestamp == timestamp); exit(0); }
