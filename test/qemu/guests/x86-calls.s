# Multiboot kernel of 32 bits without frame pointers, whose file tells its frames: main calls first, which calls second
# through a register, which calls third, and again itself, to a depth of three.
  .globl _start
  .set magic, 0x1badb002
  .set flags, 0
  .align 4
  .long magic, flags, -(magic + flags)
  .type _start, @function
_start:
  .cfi_startproc
  .cfi_undefined eip
  mov $stack_top, %esp
  xor %ebp, %ebp
again:
  push $3
  call first
after_first:
  add $4, %esp
  jmp again
  .cfi_endproc
  .size _start, . - _start

  .type first, @function
first:
  .cfi_startproc
  push %ebx
  .cfi_adjust_cfa_offset 4
  .cfi_rel_offset ebx, 0
  sub $24, %esp
  .cfi_adjust_cfa_offset 24
  mov $second, %ebx
  mov 32(%esp), %eax
  call *%ebx
after_second:
  add $24, %esp
  .cfi_adjust_cfa_offset -24
  pop %ebx
  .cfi_adjust_cfa_offset -4
  .cfi_restore ebx
  ret
  .cfi_endproc
  .size first, . - first

# EAX deep.
  .type second, @function
second:
  .cfi_startproc
  push %esi
  .cfi_adjust_cfa_offset 4
  .cfi_rel_offset esi, 0
  mov %eax, %esi
  sub $8, %esp
  .cfi_adjust_cfa_offset 8
  dec %eax
  jz bottom
  call second
after_deeper:
  jmp leave_second
bottom:
  call *table(,%eax,4)
after_third:
leave_second:
  add $8, %esp
  .cfi_adjust_cfa_offset -8
  pop %esi
  .cfi_adjust_cfa_offset -4
  .cfi_restore esi
  ret
  .cfi_endproc
  .size second, . - second

  .type third, @function
third:
  .cfi_startproc
  incl counter
inside_third:
  nop
  ret
  .cfi_endproc
  .size third, . - third

  .align 4
table:
  .long third
counter:
  .long 0
  .align 16
  .skip 512
stack_top:
