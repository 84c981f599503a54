#pragma D  
tick-5001 { }
