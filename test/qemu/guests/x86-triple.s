# Boot sector: says READY on COM1, waits for a byte there, and then takes an interrupt without a table of interrupts.
  .code16
  .globl _start
_start:
  ljmp $0, $begin
begin:
  cli
  xor %ax, %ax
  mov %ax, %ds
  mov %ax, %ss
  mov $0x7c00, %sp
  mov $ready, %si
greet:
  lodsb
  test %al, %al
  jz wait_for_byte
  mov %al, %ah
wait_for_uart:
  mov $0x3fd, %dx
  in %dx, %al
  test $0x20, %al
  jz wait_for_uart
  mov %ah, %al
  mov $0x3f8, %dx
  out %al, %dx
  jmp greet
wait_for_byte:
  mov $0x3fd, %dx
  in %dx, %al
  test $1, %al
  jz wait_for_byte
  mov $0x3f8, %dx
  in %dx, %al
  lidt no_table
fault:
  int3
  jmp fault

no_table:
  .word 0, 0, 0
ready:
  .asciz "READY\n"
  .org 510
  .word 0xaa55
