this int a[];
