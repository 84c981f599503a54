at(0, function() keyboard:press("any") end)
