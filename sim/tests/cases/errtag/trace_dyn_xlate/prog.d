BEGIN { trace(xlate <psinfo_t *> (curthread)); }
