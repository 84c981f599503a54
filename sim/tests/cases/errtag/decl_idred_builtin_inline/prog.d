int curpsinfo;
