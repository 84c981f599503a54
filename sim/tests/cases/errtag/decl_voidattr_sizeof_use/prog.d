BEGIN { trace(sizeof (short void)); }
