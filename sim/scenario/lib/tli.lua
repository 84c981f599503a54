-- TLI: transport endpoints as streams, the way libnsl uses them (t_open(3NSL) and so on).
local private = ...
local fail, methods, ip4 = private.fail, private.methods, private.ipaddr

local T_UNITDATA_REQ, T_BIND_REQ = 8, 26
local T_BIND_ACK, T_UNITDATA_IND, T_UDERROR_IND = 17, 20, 21
local AF_INET = 2

-- struct sockaddr_in of "addr:port" or { addr =, port = }
local function sockaddr(a)
	if type(a) == "string" then
		local addr, port = a:match("^([%d.]*):(%d+)$")
		a = addr and {addr = addr ~= "" and addr or nil, port = tonumber(port)} or fail("\"" .. a .. "\" is no address: addr:port")
	end
	return string.pack("<I2", AF_INET) .. string.pack(">I2", a.port or 0) .. ip4(a.addr or "0.0.0.0") .. ("\0"):rep(8)
end

local function address(bytes)
	if #bytes < 8 then
		return nil
	end
	local port = string.unpack(">I2", bytes, 3)
	return {family = "AF_INET", addr = string.format("%d.%d.%d.%d", bytes:byte(5, 8)), port = port}
end

-- fd = p:t_open("/dev/udp"): the transport's stream, with timod on it
function methods.t_open(p, path, flags)
	local fd, err = p:open(path, flags or "O_RDWR")
	if not fd then
		return nil, err
	end
	local ok, why = p:push(fd, "timod")
	if not ok then
		return nil, why
	end
	return fd
end

-- address = p:t_bind(fd[, "addr:port"]): without one, the provider chooses
function methods.t_bind(p, fd, addr)
	local a = addr and sockaddr(addr) or ""
	local data, err = p:ioctl(fd, "I_STR", {cmd = "TI_BIND", data =
		string.pack("<i4i4i4I4", T_BIND_REQ, #a, #a > 0 and 16 or 0, 0) .. a})
	if not data then
		return nil, err
	end
	local prim, len, off = string.unpack("<i4i4i4", data)
	if prim ~= T_BIND_ACK then
		fail("t_bind: the answer is no T_BIND_ACK but " .. prim)
	end
	return address(data:sub(off + 1, off + len))
end

function methods.t_unbind(p, fd)
	return p:ioctl(fd, "I_STR", {cmd = "TI_UNBIND", data = string.pack("<i4", 7)})
end

-- p:t_sndudata(fd, "addr:port", data)
function methods.t_sndudata(p, fd, addr, data)
	local a = sockaddr(addr)
	return p:putmsg(fd, string.pack("<i4i4i4i4i4", T_UNITDATA_REQ, #a, 20, 0, 0) .. a, data)
end

-- data, address = p:t_rcvudata(fd); nil, "TLOOK", address, errno when it is word of an error
function methods.t_rcvudata(p, fd)
	local ctl, data = p:getmsg(fd, 65536)
	if not ctl then
		return nil, data
	end
	local prim, len, off = string.unpack("<i4i4i4", ctl)
	local from = address(ctl:sub(off + 1, off + len))
	if prim == T_UDERROR_IND then
		return nil, "TLOOK", from, string.unpack("<i4", ctl, 21)
	end
	if prim ~= T_UNITDATA_IND then
		fail("t_rcvudata: the message is no T_UNITDATA_IND but " .. prim)
	end
	return data, from
end
