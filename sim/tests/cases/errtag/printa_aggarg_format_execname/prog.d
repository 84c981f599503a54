BEGIN { @a = count(); printa("%@d", execname); }
