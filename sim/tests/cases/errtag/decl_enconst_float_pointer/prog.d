enum e { A, B = execname };
