this self int x;
