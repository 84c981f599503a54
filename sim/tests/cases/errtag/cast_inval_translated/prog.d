BEGIN { trace((int)xlate <psinfo_t *> (curthread)); }
