enum e { A = 2147483647, B = A + 1u };
