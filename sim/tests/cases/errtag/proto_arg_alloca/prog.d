BEGIN { alloca("x"); }
