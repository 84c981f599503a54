BEGIN { printf("%s", stringof "plain"); exit(0); }
