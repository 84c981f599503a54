BEGIN { @ = count(); printa("%q %@d", @); }
