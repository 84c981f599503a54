provider mine { probe a(int x, char *y); probe b__c(); }; BEGIN { printf("1"); exit(0); }
