string;
