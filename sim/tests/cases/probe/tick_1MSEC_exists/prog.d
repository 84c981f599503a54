tick-1MSEC { trace(1); }
profile-1MSEC { trace(1); }
