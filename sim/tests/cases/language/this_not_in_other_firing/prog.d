tick-1ms { this->x++; i++; } tick-1ms /i == 1/ { j = this->x; } tick-3ms { printf("%d", j - 1); exit(0); }
