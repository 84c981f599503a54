BEGIN { @a[stack()] = count(); printa("%d %@d", @a); }
