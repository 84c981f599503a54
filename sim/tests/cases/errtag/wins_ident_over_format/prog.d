BEGIN { trace(undefd); printf("%d"); }
