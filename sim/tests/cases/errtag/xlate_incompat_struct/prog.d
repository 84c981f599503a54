struct i { int x; };
struct o { int a; int b; };
translator struct o < struct i v > { a = v; };
