host{}
