# 20 "other.h" 1
BEGIN { trace(x); }
