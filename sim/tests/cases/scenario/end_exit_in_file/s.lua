exit(3)
