uint64_t timestamp;
