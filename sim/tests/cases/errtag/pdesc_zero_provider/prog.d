nosuch::: { trace(1); }
