/* a */ /**/ /***/ BEGIN /* b */ { /* c
 d */ printf("1"); /* e */ exit(0); /* f */ } /* g */
