BEGIN { @a = count(); }
END { commit(1); printa(@a); }
