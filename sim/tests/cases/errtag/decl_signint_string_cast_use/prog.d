BEGIN { trace((unsigned string)"x"); }
