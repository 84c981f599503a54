BEGIN { @a = count(); printa(execname, @a); }
