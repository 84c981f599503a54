tick-500usec { trace(1); }
profile-500usec { trace(1); }
