BEGIN { @@b = count(); }
