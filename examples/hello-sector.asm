; A boot sector that writes to the screen and the serial port, and counts: nasm -f bin hello-sector.asm -o hello.img
org 7c00h
  mov ax,0b800h
  mov es,ax
  mov di,160*12+2*34
  mov si,text
next: lodsb
  test al,al
  jz beat
  mov ah,1eh
  stosw
  mov dx,3f8h
  out dx,al
  jmp next
beat: inc dword [count]
  jmp beat
text: db "KERNEL READY",0
count: dd 0
times 510-($-$$) db 0
dw 0aa55h
