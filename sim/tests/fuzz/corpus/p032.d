int *p; strjoin$copyin{ x = p["a", 1]; }
