tick-1sec { trace(1); }
profile-1sec { trace(1); }
