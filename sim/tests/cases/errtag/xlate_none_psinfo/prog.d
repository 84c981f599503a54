BEGIN { trace(xlate <psinfo_t *> ("a")->pr_pid); }
