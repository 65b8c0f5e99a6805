# Cortex-M, at the start of its memory: reads where nothing answers and stays in the handler of the HardFault.
  .syntax unified
  .cpu cortex-m3
  .thumb
  .globl _start
vectors:
  .word 0x20001000
  .word _start + 1
  .rept 14
  .word handler + 1
  .endr

  .type _start, %function
  .thumb_func
_start:
  ldr r1, =0x70000000
  movs r2, #3
faulting:
  ldr r0, [r1]
  b _start

  .type handler, %function
  .thumb_func
handler:
  wfi
  b handler
  .pool
