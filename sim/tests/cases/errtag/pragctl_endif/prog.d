BEGIN { }
#endif
