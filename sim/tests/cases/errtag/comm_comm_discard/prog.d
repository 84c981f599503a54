BEGIN { commit(1); discard(1); commit(1); }
