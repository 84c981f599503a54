self int a[];
