BEGIN { trace(&rand()); }
