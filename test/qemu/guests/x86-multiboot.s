# Multiboot kernel: its own command line, then each of its modules, by name and with what stands first in it, go to COM1
# a line each; then END.
  .globl _start
  .set magic, 0x1badb002
  .set flags, 0
  .align 4
  .long magic, flags, -(magic + flags)
_start:
  mov $stack_top, %esp
  mov 16(%ebx), %esi
  call put_line
  mov 20(%ebx), %ecx
  mov 24(%ebx), %edi
each:
  test %ecx, %ecx
  jz done
  mov 8(%edi), %esi
  call put_line
  mov (%edi), %esi
  call put_line
  add $16, %edi
  dec %ecx
  jmp each
done:
  mov $last_words, %esi
  call put_line
halt:
  hlt
  jmp halt

# From ESI to a zero or the end of a line.
put_line:
  lodsb
  cmp $' ', %al
  jb line_end
  call put
  jmp put_line
line_end:
  mov $'\n', %al
put:
  push %eax
  mov $0x3fd, %dx
wait_for_uart:
  in %dx, %al
  test $0x20, %al
  jz wait_for_uart
  pop %eax
  mov $0x3f8, %dx
  out %al, %dx
  ret

last_words:
  .asciz "END"
  .align 16
  .skip 256
stack_top:
