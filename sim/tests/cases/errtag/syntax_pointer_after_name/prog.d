int a *;
