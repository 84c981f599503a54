int genunix`x;
