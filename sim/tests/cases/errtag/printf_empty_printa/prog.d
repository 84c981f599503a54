BEGIN { @ = count(); printa("", @); }
