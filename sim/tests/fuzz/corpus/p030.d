lltostr$target:IN { }
 
:::BEGIN { }
 
