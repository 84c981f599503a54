tick-1m { trace(1); }
profile-1m { trace(1); }
