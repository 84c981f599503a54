tick-1msec { trace(1); }
profile-1msec { trace(1); }
