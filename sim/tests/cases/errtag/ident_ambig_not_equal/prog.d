int VFIFO;
BEGIN { x = ((struct vnode *)0)->v_type != VFIFO; }
