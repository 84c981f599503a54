#!/usr/sbin/dtrace -s
/*
 * qfull.d - flow control: when a queue becomes full, and when it has room again
 *           for those who were refused.
 *
 * A queue is full from its high-water mark on.  Who asks then (canputnext and
 * the like) is refused, which is noted on the queue; when it has sunk below the
 * low-water mark, the nearest service procedure behind it is enabled, which
 * sends what waits there: back-enabling.  The head of a stream has such a
 * procedure too, which wakes a writer.
 *
 * The lines tell the moments, in &&milliseconds; the table how often a queue
 * became full, how many questions it refused, how often it had room again, and
 * how often it was enabled because one ahead of it had.
 *
 * USAGE: qfull.d	# hit Ctrl-C to end
 */
#pragma D option quiet
#pragma D option aggsortkey

inline uint_t FULL = 0x8;

fbt:genunix:putq:entry
{
	self->q = args[0];
	self->was = args[0]->q_flag & FULL;
}

fbt:genunix:putq:return
/self->q != NULL && self->was == 0 && (self->q->q_flag & FULL) != 0/
{
	this->name = stringof(self->q->q_qinfo->qi_minfo->mi_idname);
	this->side = self->q->q_flag & 0x10 ? "read" : "write";
	printf("%7d  %-12s %-5s full with %d bytes\n", timestamp / 1000000, this->name, this->side,
	    self->q->q_count);
	@full[this->name, this->side] = count();
}

fbt:genunix:putq:return
{
	self->q = NULL;
}

fbt:genunix:canputnext:entry,
fbt:genunix:bcanputnext:entry
{
	self->asked = args[0]->q_next->q_nfsrv;
}

fbt:genunix:canput:entry,
fbt:genunix:bcanput:entry
{
	self->asked = args[0]->q_nfsrv;
}

fbt:genunix:canputnext:return,
fbt:genunix:bcanputnext:return,
fbt:genunix:canput:return,
fbt:genunix:bcanput:return
/self->asked != NULL && arg1 == 0/
{
	@refused[stringof(self->asked->q_qinfo->qi_minfo->mi_idname),
	    self->asked->q_flag & 0x10 ? "read" : "write"] = count();
}

fbt:genunix:canputnext:return,
fbt:genunix:bcanputnext:return,
fbt:genunix:canput:return,
fbt:genunix:bcanput:return
{
	self->asked = NULL;
}

fbt:genunix:backenable:entry
{
	self->room = args[0];
	@room[stringof(args[0]->q_qinfo->qi_minfo->mi_idname), args[0]->q_flag & 0x10 ? "read" : "write"] = count();
}

fbt:genunix:qenable_locked:entry
/self->room != NULL/
{
	this->name = stringof(args[0]->q_qinfo->qi_minfo->mi_idname);
	this->side = args[0]->q_flag & 0x10 ? "read" : "write";
	printf("%7d  %-12s %-5s has room, %d bytes left: enables %s %s\n", timestamp / 1000000,
	    stringof(self->room->q_qinfo->qi_minfo->mi_idname), self->room->q_flag & 0x10 ? "read" : "write",
	    self->room->q_count, this->name, this->side);
	@enabled[this->name, this->side] = count();
}

fbt:genunix:backenable:return
{
	self->room = NULL;
}

END
{
	printf("%-12s %-6s %8s %8s %8s %8s\n", "QUEUE", "", "FULL", "REFUSED", "ROOM", "ENABLED");
	printa("%-12s %-6s %@8d %@8d %@8d %@8d\n", @full, @refused, @room, @enabled);
}
