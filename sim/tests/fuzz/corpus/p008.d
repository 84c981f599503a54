enum e { A = "x!!!" };
