BEGIN { this->r = strchr("bcab", 'c'); printf("%s %s", this->r, strchr("abc", 'z') == NULL ? "NULL" : "found"); exit(0); }
