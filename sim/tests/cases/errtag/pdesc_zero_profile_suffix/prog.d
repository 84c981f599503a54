profile-5x { trace(1); }
