/*
 * words
 */
BEGIN { trace(nosuch); }
