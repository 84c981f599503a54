enum nosuch_enum;
enum nosuch_enum x;
