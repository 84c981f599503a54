BEGIN { this->a = (ipaddr_t *)alloca(4); *this->a = 0x0100007f; printf("%s %s\n", inet_ntop(2, this->a), inet_ntop(99, this->a)); exit(0); }
