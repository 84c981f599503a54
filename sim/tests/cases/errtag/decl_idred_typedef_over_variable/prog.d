int t;
typedef int t;
