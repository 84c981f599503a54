/* mouse8042: the driver of a PS/2 mouse. */
#ifndef STRSIM_MOUSE8042_H
#define STRSIM_MOUSE8042_H

/* What the driver does when the machine wakes from sleep (DDI_RESUME): the mouse is set up again. */
void mouse8042_resume(void);

#endif
