tick-1s { trace(1); }
profile-1s { trace(1); }
