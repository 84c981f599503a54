BEGIN { if (1) trace(1) else trace(2); }
