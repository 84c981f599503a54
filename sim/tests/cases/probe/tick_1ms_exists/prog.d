tick-1ms { trace(1); }
profile-1ms { trace(1); }
