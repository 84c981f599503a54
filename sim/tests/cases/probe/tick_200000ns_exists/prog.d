tick-200000ns { trace(1); }
profile-200000ns { trace(1); }
