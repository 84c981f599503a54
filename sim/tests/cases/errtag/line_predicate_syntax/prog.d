BEGIN
/1 +/
{
}
