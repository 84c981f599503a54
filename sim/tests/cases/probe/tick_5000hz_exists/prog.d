tick-5000hz { trace(1); }
profile-5000hz { trace(1); }
