BEGIN { commit(1); tracemem(`kcred, 8); }
