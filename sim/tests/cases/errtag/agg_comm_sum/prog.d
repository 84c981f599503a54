BEGIN { commit(1); @["x"] = sum(1); }
