BEGIN { trace(copyinstr()); }
