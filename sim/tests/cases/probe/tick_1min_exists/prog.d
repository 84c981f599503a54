tick-1min { trace(1); }
profile-1min { trace(1); }
