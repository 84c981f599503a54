int VCHR;
BEGIN { x = ((struct vnode *)0)->v_type == VCHR; }
