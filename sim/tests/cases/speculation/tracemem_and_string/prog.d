BEGIN { self->i = speculation(); }
BEGIN { speculate(self->i); trace("abc"); printf("%s", "def"); }
BEGIN { commit(self->i); }
BEGIN { exit(0); }
