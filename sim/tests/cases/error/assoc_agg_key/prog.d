BEGIN { @a = count(); a[@a] = 1; exit(0); }
