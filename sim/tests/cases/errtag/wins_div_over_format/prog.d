BEGIN { printf("%q"); trace(1/0); }
