inline int A = 1;
enum e { A };
