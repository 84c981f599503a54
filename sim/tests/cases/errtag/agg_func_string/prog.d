BEGIN { @a["k"] = "x"; }
