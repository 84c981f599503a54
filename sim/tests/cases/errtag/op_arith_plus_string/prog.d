BEGIN { trace(+"a"); }
