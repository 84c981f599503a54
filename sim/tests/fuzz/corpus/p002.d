strtok/x/ { }
