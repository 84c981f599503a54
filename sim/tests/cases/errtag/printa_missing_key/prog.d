BEGIN { @a = count(); printa("%s %@d", @a); }
