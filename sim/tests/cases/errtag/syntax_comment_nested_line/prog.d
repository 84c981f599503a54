
/* a
 /* b */
BEGIN { }
