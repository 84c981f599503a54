process{run = function(p)
	local a = p:pipe()
	p:ioctl(a, "TIOCSWINSZ", {ws_zeta = 1, ws_beta = 2, ws_alpha = 3})
end}
