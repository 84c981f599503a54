BEGIN { trace(nosuch); }
END { x = ; }
