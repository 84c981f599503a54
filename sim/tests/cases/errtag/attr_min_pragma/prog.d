#pragma D attributes Unstable/Stable/Common who
inline int who = pid;
BEGIN
{
	trace(who);
}
