fbt::: { @ = lquantize(1, 2, pid); }
