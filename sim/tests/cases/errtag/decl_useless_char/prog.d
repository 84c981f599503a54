unsigned char;
