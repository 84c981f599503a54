nosuch { f(); }
