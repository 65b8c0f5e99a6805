/** XMS, 32-bit code in two rings with a TSS, virtual 8086 mode, and back; it shows what it has counted. */
export const ringsProgram = `
; XMS, 32-bit protected mode with rings and a TSS, virtual 8086 mode, and back. It shows what it has counted.
  org 100h
  mov ax, 0x4300
  int 0x2f
  cmp al, 0x80
  jne near without
  mov ax, 0x4310
  int 0x2f
  mov [xms], bx
  mov [xms + 2], es
  push cs
  pop es
  mov ah, 9                   ; a block of 64 KiB
  mov dx, 64
  call far [xms]
  or ax, ax
  jz near without
  mov [to_handle], dx
  mov [own_segment], cs
  mov ah, 0x0b                ; a text into the middle of it
  mov si, move
  call far [xms]
  add [found], al
  mov ah, 0x0c                ; where it lies
  mov dx, [to_handle]
  call far [xms]
  mov [linear], bx
  mov [linear + 2], dx
  mov ah, 5                   ; address line 20
  call far [xms]
  push dword 2                ; MS-DOS starts programs with the flag for nested tasks
  popfd
  xor ebx, ebx
  mov bx, cs
  mov [real_place + 2], bx
  mov [real_segment], bx
  shl ebx, 4
  mov si, own
  mov cx, 7
base:                         ; segments that begin where the program does
  mov di, [si]
  add si, 2
  mov eax, ebx
  add eax, [di + 2]
  mov [di + 2], ax
  shr eax, 16
  mov [di + 4], al
  loop base
  mov eax, ebx
  add eax, gdt
  mov [gdt_place + 2], eax
  mov eax, ebx
  add eax, idt
  mov [idt_place + 2], eax
  mov [real_stack], sp
  lgdt [gdt_place]
  lidt [idt_place]
  mov eax, cr0
  or al, 1
  mov cr0, eax
  jmp dword 0x18:code32

bits 32
code32:
  mov ax, 0x20
  mov ds, ax
  mov ss, ax
  mov esp, ring0_stack
  mov ax, 0x10
  mov es, ax
  mov ax, 0x28
  ltr ax
  mov esi, [linear]
  add esi, 0x8000
  mov edi, text
  mov ecx, text_length
.next:
  mov al, [es:esi]
  cmp al, [edi]
  jne .differs
  inc esi
  inc edi
  loop .next
  inc byte [found]
.differs:
  push dword 0x3b             ; out to ring 3
  push dword ring3_stack
  push dword 2
  push dword 0x33
  push dword ring3
  iretd
ring3:
  mov ax, 0x3b
  mov ds, ax
  int 0x30
  int 0x30
  hlt                         ; only ring 0 may
service:
  inc byte [services]
  iretd
fault:
  test byte [esp + 14], 2     ; from virtual 8086 mode?
  mov ax, 0x20
  mov ds, ax
  jnz .virtual
  inc byte [faults]
  movzx eax, word [real_segment]
  push eax
  push eax
  push eax
  push eax
  push eax
  push dword virtual_stack
  push dword 0x20002
  push eax
  push dword virtual
  iretd
.virtual:
  cmp word [seen], 0x1234
  jne .leave
  inc byte [virtuals]
.leave:
  jmp word 8:leave

bits 16
virtual:
  mov ax, 0x1234
  mov [seen], ax
  hlt                         ; not in virtual 8086 mode
leave:
  mov ax, 0x40
  mov ds, ax
  mov es, ax
  mov fs, ax
  mov gs, ax
  mov ss, ax
  mov eax, cr0
  and al, 0xfe
  mov cr0, eax
  jmp far [real_place]
real:
  mov ax, cs
  mov ds, ax
  mov es, ax
  mov ss, ax
  mov sp, [real_stack]
  lidt [real_idt]
  sti
  mov ah, 6                   ; address line 20 off, block unlocked and given back
  call far [xms]
  mov ah, 0x0d
  mov dx, [to_handle]
  call far [xms]
  add [given], al
  mov ah, 0x0a
  mov dx, [to_handle]
  call far [xms]
  add [given], al
without:
  mov ah, 9
  mov dx, result
  int 0x21
  mov ax, 0x4c00
  int 0x21

result db 'found '
found db '0, services '
services db '0, faults '
faults db '0, virtual '
virtuals db '0, given back '
given db '0', 13, 10, '$'
text db 'a text above the first megabyte!'
text_length equ $ - text
  align 4
move dd text_length
  dw 0, text
own_segment dw 0
to_handle dw 0
  dd 0x8000
xms dd 0
linear dd 0
real_place dw real, 0
real_segment dw 0
real_stack dw 0
seen dw 0
own dw gdt_16, gdt_32, gdt_data, gdt_tss, gdt_code3, gdt_data3, gdt_16data
real_idt dw 0x3ff
  dd 0
gdt:
  dw 0, 0, 0, 0
gdt_16 dw 0xffff, 0, 0x9a00, 0
  dw 0xffff, 0, 0x9200, 0x00cf
gdt_32 dw 0xffff, 0, 0x9a00, 0x0040
gdt_data dw 0xffff, 0, 0x9200, 0x0040
gdt_tss dw 103, tss, 0x8900, 0
gdt_code3 dw 0xffff, 0, 0xfa00, 0x0040
gdt_data3 dw 0xffff, 0, 0xf200, 0x0040
gdt_16data dw 0xffff, 0, 0x9200, 0
gdt_place dw gdt_place - gdt - 1
  dd 0
idt:
  times 13 dq 0
  dw fault, 0x18, 0x8e00, 0
  times 0x30 - 14 dq 0
  dw service, 0x18, 0xee00, 0
idt_place dw idt_place - idt - 1
  dd 0
  align 4
tss:
  dd 0, ring0_stack, 0x20
  times 23 dd 0
section .bss
  resb 512
ring0_stack:
  resb 256
ring3_stack:
  resb 256
virtual_stack:
`;
