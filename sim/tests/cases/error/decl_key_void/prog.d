int a[void]; BEGIN { exit(0); }
