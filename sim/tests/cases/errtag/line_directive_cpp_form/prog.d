# 20 "inc.h" 1
BEGIN { trace(x); }
