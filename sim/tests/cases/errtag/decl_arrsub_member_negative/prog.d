struct s { char a[-2]; };
