; A picture of 256 colours on the DOS PC: program_run with the path of this file.
  mov ax,13h
  int 10h
  mov ax,0a000h
  mov es,ax
  xor di,di
row: mov dx,di
  shr dx,8
  mov cx,320
dot: call colour
  stosb
  loop dot
  cmp di,64000
  jb row
  xor ax,ax
  int 16h
  mov ax,4c00h
  int 21h
colour: mov al,cl
  xor al,dl
  and al,31
  add al,32
  ret
