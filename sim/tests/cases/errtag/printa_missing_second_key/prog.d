BEGIN { @a["x"] = count(); printa("%s %s %@d", @a); }
