BEGIN { trace((uint32_t)0); index(0); }
