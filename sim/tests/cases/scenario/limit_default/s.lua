every(60, function() end)
