BEGIN { trace(1--1); }
