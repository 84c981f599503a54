tick-1hz { trace(1); }
profile-1hz { trace(1); }
