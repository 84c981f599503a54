typedef int foo_alias;
char foo_alias;
