BEGIN { printf("%d %q"); }
