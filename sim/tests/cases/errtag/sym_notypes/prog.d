BEGIN { trace(&dtrace`dtrace_tramp_entry); }
