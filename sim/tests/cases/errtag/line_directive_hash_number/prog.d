#5 "f"
BEGIN { trace(x); }
