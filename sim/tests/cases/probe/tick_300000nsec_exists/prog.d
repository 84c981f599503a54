tick-300000nsec { trace(1); }
profile-300000nsec { trace(1); }
