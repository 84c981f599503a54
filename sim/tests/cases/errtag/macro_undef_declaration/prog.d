int a[$2];
