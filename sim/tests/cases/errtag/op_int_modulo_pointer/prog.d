BEGIN { trace(curthread % 4); }
