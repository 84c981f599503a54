BEGIN { trace(genunix`nosuch); }
