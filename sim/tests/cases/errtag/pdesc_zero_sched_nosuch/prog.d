sched:::nosuch
{ trace(1); }
