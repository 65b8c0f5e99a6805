.global _start
_start:
  ldr x0, =stack_top
  mov sp, x0
  bl start
.bss
.balign 16
.space 1024
stack_top:
