;
int asubstr[08];
