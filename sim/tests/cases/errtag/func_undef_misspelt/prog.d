BEGIN { tracemen(0, 4); }
