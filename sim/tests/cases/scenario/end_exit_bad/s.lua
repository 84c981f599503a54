exit(300)
