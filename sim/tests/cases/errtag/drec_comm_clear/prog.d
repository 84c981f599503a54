BEGIN { @a = count(); }
END { commit(1); clear(@a); }
