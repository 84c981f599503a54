BEGIN { @a[curthread] = count(); printa("%x %@d", @a); }
