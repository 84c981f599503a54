int trace;
