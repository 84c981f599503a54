-- An error found in the library's own code names the line that called it.
process{args = "p", run = function(p)
	local a = p:pipe()
	p:stty(a, "raw bogus")
end}
