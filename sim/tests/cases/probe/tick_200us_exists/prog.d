tick-200us { trace(1); }
profile-200us { trace(1); }
