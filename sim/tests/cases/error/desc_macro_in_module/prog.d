dtrace:$$1::BEGIN { trace($$1); exit(0); }
