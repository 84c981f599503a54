/*
 * The CPU, for the provider sched and for everybody.
 */
#pragma D depends_on module genunix

inline int P_OFFLINE = 1;
inline int P_ONLINE = 2;

typedef struct cpuinfo {
	processorid_t cpu_id;
	psetid_t cpu_pset;
	chipid_t cpu_chip;
	lgrp_id_t cpu_lgrp;
	processor_info_t cpu_info;
} cpuinfo_t;

translator cpuinfo_t < cpu_t *C > {
	cpu_id = C->cpu_id;
	cpu_pset = 0;
	cpu_chip = C->cpu_id;
	cpu_lgrp = 0;
	cpu_info = C->cpu_type_info;
};

inline cpuinfo_t *curcpu = xlate <cpuinfo_t *> (curthread->t_cpu);

inline psetid_t pset = curcpu->cpu_pset;
inline chipid_t chip = curcpu->cpu_chip;
inline lgrp_id_t lgrp = curcpu->cpu_lgrp;
