struct s { int a; };
typedef int t;
enum e { A };
