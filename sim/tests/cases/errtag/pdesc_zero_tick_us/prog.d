tick-199us { trace(1); }
