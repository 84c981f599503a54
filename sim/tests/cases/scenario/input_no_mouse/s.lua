at(0, function() mouse:move(1, 1) end)
