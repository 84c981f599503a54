BEGIN { trace(*&`putnext); }
