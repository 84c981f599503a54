BEGIN { @a["x"] = count(); printa("%d %@d", @a); }
