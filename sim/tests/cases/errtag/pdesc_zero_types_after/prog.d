nosuch { trace(undefined); }
