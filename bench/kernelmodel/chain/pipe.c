#include "pipe.h"

#include "sys/strsubr.h"

/* What has come to the driver. */
static KLOCAL uint64_t arrived;

static int chain_sinkput(queue_t *q, mblk_t *mp)
{
	(void)q, (void)mp;
	arrived++;
	return 0;
}

static int chain_sinkopen(queue_t *q, dev_t *devp, int oflag, int sflag, cred_t *cr)
{
	(void)devp, (void)oflag, (void)sflag, (void)cr;
	qprocson(q);
	return 0;
}

static int chain_sinkclose(queue_t *q, int flag, cred_t *cr)
{
	(void)flag, (void)cr;
	qprocsoff(q);
	return 0;
}

static struct module_info head_info = {0, "strwhd", 0, INFPSZ, 5120, 1024};
static struct qinit head_init = {.qi_putp = chain_sinkput, .qi_minfo = &head_info};
static struct module_info sink_info = {0, "sink", 0, INFPSZ, 5120, 1024};
static struct qinit sink_init = {
    .qi_putp = chain_sinkput, .qi_qopen = chain_sinkopen, .qi_qclose = chain_sinkclose, .qi_minfo = &sink_info};
static struct streamtab sink_tab = {&sink_init, &sink_init, NULL, NULL};
static const devsw_t sink_dev = {.d_name = "sink", .d_str = &sink_tab, .d_flag = D_MP};

static stdata_t *chain_head(void)
{
	stdata_t *stp = kmem_zalloc(sizeof(*stp), KM_SLEEP);
	queue_t *rq = allocq();

	stp->sd_wrq = _WR(rq);
	rq->q_stream = _WR(rq)->q_stream = stp;
	setq(rq, &head_init, &head_init, D_MP, NULL, NULL);
	return stp;
}

queue_t *chain_pipe_open(uint32_t modules)
{
	const fmodsw_t *fp = fmodsw_find("pipemod");
	stdata_t *stp;
	dev_t dev = 0;

	if (fp == NULL)
		return NULL;
	stp = chain_head();
	if (qattach(_RD(stp->sd_wrq), &dev, 0, kcred, NULL, &sink_dev) != 0)
		return NULL;
	for (uint32_t i = 0; i < modules; i++)
		if (qattach(_RD(stp->sd_wrq), &dev, 0, kcred, fp, NULL) != 0)
			return NULL;
	machine_run_ready();
	return stp->sd_wrq;
}

void chain_pipe_close(queue_t *wq)
{
	stdata_t *stp = wq->q_stream;

	machine_run_ready();
	while (SAMESTR(wq))
		qdetach(_RD(wq->q_next), 1, 0, kcred);
	stream_runservice(stp);
	machine_run_ready();
	freeq(_RD(wq));
	kmem_free(stp, sizeof(*stp));
}

void chain_pipe_send(queue_t *wq, mblk_t *mp, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		putnext(wq, mp);
}

uint64_t chain_pipe_arrived(void)
{
	return arrived;
}
