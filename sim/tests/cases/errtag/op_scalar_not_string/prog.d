BEGIN { trace(!"x"); }
