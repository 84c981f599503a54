tick-1h { trace(1); }
profile-1h { trace(1); }
