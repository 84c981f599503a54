int args;
