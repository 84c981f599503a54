BEGIN { trace(+curthread); }
