typedef short char t;
