float int x;
