char a[4]; BEGIN { a = "abc"; }
