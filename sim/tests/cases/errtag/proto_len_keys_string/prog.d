BEGIN { a["x", "y"] = 1; trace(a["x"]); }
