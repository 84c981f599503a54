extern this int x;
