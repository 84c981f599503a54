BEGIN { printf('hello world'); }
