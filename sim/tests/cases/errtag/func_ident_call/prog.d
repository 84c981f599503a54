BEGIN { rand()(); }
