# Cortex-M, at the start of its memory: main calls worker, which does a supervisor call; its handler calls inner, which
# stays there. Everything is told by the file's frames. Names ending in _at are places.
  .syntax unified
  .cpu cortex-m3
  .thumb
  .globl _start
vectors:
  .word 0x20001000
  .word _start + 1
  .rept 9
  .word idle + 1
  .endr
  .word handler + 1
  .rept 4
  .word idle + 1
  .endr

  .type _start, %function
  .thumb_func
_start:
  .cfi_startproc
  .cfi_undefined lr
  movs r4, #7
  bl worker
after_worker:
  b _start
  .cfi_endproc
  .size _start, . - _start

  .type worker, %function
  .thumb_func
worker:
  .cfi_startproc
  push {r4, lr}
  .cfi_def_cfa_offset 8
  .cfi_offset lr, -4
  .cfi_offset r4, -8
  sub sp, #20
  .cfi_def_cfa_offset 28
  svc 0
after_svc:
  add sp, #20
  .cfi_def_cfa_offset 8
  pop {r4, pc}
  .cfi_endproc
  .size worker, . - worker

  .type handler, %function
  .thumb_func
handler:
  .cfi_startproc
  push {r4, lr}
  .cfi_def_cfa_offset 8
  .cfi_offset lr, -4
  .cfi_offset r4, -8
  bl inner
after_inner:
  pop {r4, pc}
  .cfi_endproc
  .size handler, . - handler

  .type inner, %function
  .thumb_func
inner:
  .cfi_startproc
  nop
inner_body:
  nop
  bx lr
  .cfi_endproc
  .size inner, . - inner

  .type idle, %function
  .thumb_func
idle:
  b idle
  .size idle, . - idle
