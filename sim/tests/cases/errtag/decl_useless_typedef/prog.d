typedef int;
