BEGIN { trace(a); }
BEGIN { x = ; }
