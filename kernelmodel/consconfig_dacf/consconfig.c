/*
 * consconfig_dacf: when the console's devices appear their drivers are opened,
 * have their modules pushed, and are linked below the multiplexors that make
 * one keyboard of all keyboards and one mouse of all mice.
 *
 * The multiplexors stay open for ever: conskbd by its minor 1, which is where
 * the terminal on the console (wc) would have it.
 */
#include <string.h>

#include "consconfig_dacf/consconfig.h"
#include "machine/machine.h"
#include "sys/consdev.h"
#include "sys/errno.h"
#include "sys/file.h"
#include "sys/kbd.h"
#include "sys/kbio.h"
#include "sys/stropts.h"
#include "sys/vnode.h"

#define CONSCONFIG_PRI 60

/* A kind of device: where its multiplexor and its driver are, and what is pushed on the driver. */
struct device {
	const char *mux, *node, *module;
	int (*prepare)(vnode_t *vp);
};

static int prepare_keyboard(vnode_t *vp);

enum { KEYBOARD, MOUSE, NDEVICES };
static const struct device devices[NDEVICES] = {
    [KEYBOARD] = {"/dev/conskbd1", "/dev/kb8042", NULL, prepare_keyboard},
    [MOUSE] = {"/dev/mouse", "/dev/internal_mouse", "vuid3ps2", NULL},
};

static KLOCAL struct {
	vnode_t *mux[NDEVICES]; /* open */
	int muxid[NDEVICES];    /* of the link; 0 none */
	bool wanted[NDEVICES];  /* linked, or taken away for a while */
	bool started, done;
	int working; /* threads that plumb */
	int error;
} consconfig;

/* ---- one device ---- */

/* Keyboards are translated by conskbd, which also minds the abort keys. */
static int prepare_keyboard(vnode_t *vp)
{
	int can = TR_CAN;
	int error = kern_ioctl(vp, KIOCTRANSABLE, (intptr_t)&can, NULL);

	if (error == 0)
		error = kern_ioctl(vp, CONSSETABORTENABLE, 1, NULL);
	if (error == 0)
		error = kern_ioctl(vp, CONSSETABORTENABLE, 0, NULL);
	return (error);
}

static int prepare(const struct device *dev, vnode_t *vp)
{
	int error = kern_ioctl(vp, I_FLUSH, FLUSHRW, NULL);

	if (error == 0 && dev->module != NULL)
		error = kern_ioctl(vp, I_PUSH, (intptr_t)dev->module, NULL);
	if (error == 0 && dev->prepare != NULL)
		error = dev->prepare(vp);
	return (error);
}

/* Open the device and link it; the link keeps it open. */
static int plumb(int which)
{
	const struct device *dev = &devices[which];
	vnode_t *vp;
	int error = vn_open_dev(dev->node, FREAD | FWRITE, &vp);

	if (error != 0)
		return (error);
	error = prepare(dev, vp);
	if (error == 0)
		error = kern_link(consconfig.mux[which], vp, I_PLINK, &consconfig.muxid[which]);
	if (error != 0)
		(void)vn_close_dev(vp, FREAD | FWRITE);
	else
		consconfig.wanted[which] = true;
	return (error);
}

static void unplumb(int which)
{
	int muxid = consconfig.muxid[which];

	consconfig.muxid[which] = 0;
	if (muxid != 0)
		(void)kern_ioctl(consconfig.mux[which], I_PUNLINK, muxid, NULL);
}

/* ---- all of them ---- */

static void note_error(int error)
{
	if (consconfig.error == 0)
		consconfig.error = error;
}

static void attach_thread(void *unused)
{
	(void)unused;
	for (int i = 0; i < NDEVICES; i++) {
		int error = vn_open_dev(devices[i].mux, FREAD | FWRITE, &consconfig.mux[i]);

		if (error != 0)
			consconfig.mux[i] = NULL;
		note_error(error);
	}
	/* The one virtual keyboard may stop the machine. */
	if (consconfig.mux[KEYBOARD] != NULL)
		note_error(kern_ioctl(consconfig.mux[KEYBOARD], CONSSETABORTENABLE, 1, NULL));
	for (int i = NDEVICES - 1; i >= 0; i--)
		if (consconfig.mux[i] != NULL)
			note_error(plumb(i));
	consconfig.done = true;
	consconfig.working--;
}

/* A thread that plumbs; 0, or ENOMEM. */
static int work(void (*func)(void *), int which)
{
	if (thread_create(func, (void *)(intptr_t)which, CONSCONFIG_PRI) == NULL)
		return (ENOMEM);
	consconfig.working++;
	return (0);
}

int consconfig_attach(void)
{
	if (consconfig.started)
		return (0);
	consconfig.started = true;
	return (work(attach_thread, 0));
}

bool consconfig_busy(void)
{
	return (consconfig.working > 0);
}

bool consconfig_done(void)
{
	return (consconfig.done);
}

int consconfig_error(void)
{
	return (consconfig.error);
}

static void detach_thread(void *unused)
{
	(void)unused;
	for (int i = 0; i < NDEVICES; i++) {
		if (consconfig.mux[i] == NULL)
			continue;
		unplumb(i);
		(void)vn_close_dev(consconfig.mux[i], FREAD | FWRITE);
		consconfig.mux[i] = NULL;
	}
}

/* ---- a device that is wanted elsewhere ---- */

/* The device of a node that the console has or had; -1 none. */
static int find_node(const char *node)
{
	for (int i = 0; i < NDEVICES; i++)
		if (strcmp(devices[i].node, node) == 0 && consconfig.mux[i] != NULL && consconfig.wanted[i])
			return (i);
	return (-1);
}

void consconfig_unlink(const char *node)
{
	int which = find_node(node);

	if (which >= 0)
		unplumb(which);
}

static void link_thread(void *arg)
{
	int which = (int)(intptr_t)arg;

	if (consconfig.mux[which] != NULL && consconfig.muxid[which] == 0)
		(void)plumb(which);
	consconfig.working--;
}

void consconfig_link(const char *node)
{
	int which = find_node(node);

	if (which >= 0 && consconfig.muxid[which] == 0)
		(void)work(link_thread, which);
}

/* ---- the life of the kernel ---- */

static void consconfig_init(void)
{
	memset(&consconfig, 0, sizeof(consconfig));
}

static void consconfig_fini(void)
{
	/* A thread that still waits for a device has streams in use which cannot be closed any more. */
	if (consconfig.started && !consconfig_busy())
		(void)thread_create(detach_thread, NULL, CONSCONFIG_PRI);
}

KERNEL_INIT(3, consconfig_init, consconfig_fini);
