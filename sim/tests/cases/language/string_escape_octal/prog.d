BEGIN { printf("%s", "\101\102"); exit(0); }
