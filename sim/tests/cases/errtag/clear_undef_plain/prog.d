BEGIN { clear(@n); }
