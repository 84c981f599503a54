at(0, function() mouse:click(9) end)
