# Boot sector: whatever comes from the keyboard goes to COM1 as K and the byte, from the mouse as M and the byte. The
# mouse is switched on first; its answer is the first that is said.
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
  mov $0xa8, %ah
  call command
  mov $0xd4, %ah
  call command
  call wait_to_write
  mov $0xf4, %al
  out %al, $0x60
listen:
  in $0x64, %al
  test $1, %al
  jz listen
  mov %al, %bl
  in $0x60, %al
  mov %al, %bh
  mov $'K', %al
  test $0x20, %bl
  jz say
  mov $'M', %al
say:
  call put
  mov %bh, %al
  call put
  jmp listen

# AH to the controller.
command:
  call wait_to_write
  mov %ah, %al
  out %al, $0x64
  ret

wait_to_write:
  in $0x64, %al
  test $2, %al
  jnz wait_to_write
  ret

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

  .org 510
  .word 0xaa55
