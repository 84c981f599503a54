tick-1hour { trace(1); }
profile-1hour { trace(1); }
