double float x;
