tick-1d { trace(1); }
profile-1d { trace(1); }
