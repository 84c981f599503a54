int x;
BEGIN { x(); }
