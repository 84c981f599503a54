BEGIN { @n["a"]["b"] = sum(1); }
