BEGIN { trace(`nosuchsym); exit(0); }
