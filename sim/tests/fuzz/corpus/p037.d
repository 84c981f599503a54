 #a["s"] D option ƒuiet
unsigned int x = ?;
