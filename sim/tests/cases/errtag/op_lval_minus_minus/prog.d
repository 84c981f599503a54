BEGIN { trace(--1); }
