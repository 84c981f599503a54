tick-1Hz { trace(1); }
profile-1Hz { trace(1); }
