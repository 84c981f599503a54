char s[];
