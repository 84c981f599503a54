BEGIN { @a[1] = count(); printa(@a[1][2]); }
