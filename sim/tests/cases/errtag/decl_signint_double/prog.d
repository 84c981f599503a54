signed double d;
