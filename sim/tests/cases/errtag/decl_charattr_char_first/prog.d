char long c;
