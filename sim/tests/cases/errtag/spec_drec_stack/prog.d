BEGIN { stack(); speculate(1); }
