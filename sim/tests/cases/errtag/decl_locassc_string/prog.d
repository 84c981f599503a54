this string a[string];
