inline int x = sizeof (void);
