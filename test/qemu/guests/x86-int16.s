# Boot sector: asks the BIOS for a key every four ticks of the clock, 220 ms, and says it on COM1. READY comes first; what
# comes after a Z is not asked for any more.
  .code16
  .globl _start
_start:
  ljmp $0, $begin
begin:
  xor %ax, %ax
  mov %ax, %ds
  mov %ax, %ss
  mov $0x7c00, %sp
  sti
  mov $ready, %si
greet:
  lodsb
  test %al, %al
  jz ask
  call put
  jmp greet
ask:
  mov 0x46c, %bx
  add $4, %bx
wait_for_tick:
  hlt
  mov 0x46c, %ax
  sub %bx, %ax
  js wait_for_tick
  mov $1, %ah
  int $0x16
  jz ask
  xor %ah, %ah
  int $0x16
  call put
  cmp $'Z', %al
  jne ask
deaf:
  hlt
  jmp deaf

# AL to COM1.
put:
  push %ax
  mov $0x3fd, %dx
wait_for_uart:
  in %dx, %al
  test $0x20, %al
  jz wait_for_uart
  pop %ax
  mov $0x3f8, %dx
  out %al, %dx
  ret

ready:
  .asciz "READY\n"
  .org 510
  .word 0xaa55
