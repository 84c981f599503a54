tick-1day { trace(1); }
profile-1day { trace(1); }
