; Protected mode: 32-bit code with its own GDT, IDT and interrupt controller, pages made when they are first touched,
; the timer at 1 kHz, memory above the first megabyte, and back to DOS.
directory equ 110000h
lowTable equ 111000h            ; the first 4 MiB as they are
highTable equ 112000h           ; 400000h and on: nothing at first
firstPage equ 120000h
window  equ 7f0000h             ; where the screen of text is mapped
        smsw ax
        test al,1
        jnz already             ; not in virtual 8086 mode
        cli
        in al,92h               ; address line 20
        or al,2
        out 92h,al
        xor eax,eax
        mov ax,cs
        mov [back+2],ax
        shl eax,4
        mov ebx,eax
        mov [gdtCode+2],ax
        mov [gdtData+2],ax
        mov [gdtReal+2],ax
        shr eax,16
        mov [gdtCode+4],al
        mov [gdtData+4],al
        mov [gdtReal+4],al
        lea eax,[ebx+gdt]
        mov [gdtPlace+2],eax
        lea eax,[ebx+idt]
        mov [idtPlace+2],eax
        in al,21h
        mov [masks],al
        in al,0a1h
        mov [masks+1],al
        mov al,0ffh
        out 0a1h,al
        mov bl,20h              ; interrupts 0 to 7 at 20h to 27h, away from the faults
        call controller
        mov al,0feh             ; the timer alone
        out 21h,al
        mov al,34h
        out 43h,al
        mov ax,1193
        out 40h,al
        mov al,ah
        out 40h,al
        mov [realStack],sp
        lgdt [gdtPlace]
        lidt [idtPlace]
        mov eax,cr0
        or al,1
        mov cr0,eax
        jmp dword 8:flat
bits 32
flat:   mov ax,10h              ; data of the program
        mov ds,ax
        mov ss,ax
        mov esp,stackEnd
        mov ax,18h              ; everything
        mov es,ax
        mov edi,directory       ; tables of pages
        xor eax,eax
        mov ecx,3072
        rep stosd
        mov dword [es:directory],lowTable+3
        mov dword [es:directory+4],highTable+3
        mov edi,lowTable
        mov eax,3
        mov ecx,1024
.page:  stosd
        add eax,1000h
        loop .page
        mov dword [es:highTable+(window-400000h)/1024],0b8003h
        mov eax,directory
        mov cr3,eax
        mov eax,cr0
        or eax,80000000h
        mov cr0,eax
        jmp .paged
.paged: sti
        xor ecx,ecx             ; a square into each of 64 pages
.write: mov eax,ecx
        imul eax,eax
        mov edx,ecx
        shl edx,12
        mov [es:400000h+edx],eax
        inc ecx
        cmp ecx,64
        jb .write
        xor ecx,ecx
        xor eax,eax
.add:   mov edx,ecx
        shl edx,12
        add eax,[es:400000h+edx]
        inc ecx
        cmp ecx,64
        jb .add
        mov [total],eax
        mov eax,[es:firstPage+3f000h] ; what the last page has is in the memory it was given
        mov [lastPage],eax
        mov esi,greeting        ; onto the screen, by its other address
        mov edi,window+24*160
        mov ah,2eh
.text:  lodsb
        or al,al
        jz .wait
        stosw
        jmp .text
.wait:  hlt                     ; until the timer has come 50 times
        cmp dword [ticks],50
        jb .wait
        cli
        mov eax,cr0             ; and back: no pages, 16-bit code, real mode
        and eax,7fffffffh
        mov cr0,eax
        jmp word 20h:leaving
fault:  push eax                ; a page that is not there gets the next one of memory
        push edx
        mov edx,cr2
        shr edx,12
        and edx,3ffh
        mov eax,[nextPage]
        add dword [nextPage],1000h
        or al,3
        mov [es:highTable+edx*4],eax
        inc dword [faults]
        pop edx
        pop eax
        add esp,4               ; the code of the fault
        iretd
timer:  push eax
        inc dword [ticks]
        mov al,20h
        out 20h,al
        pop eax
        iretd
bits 16
leaving: mov ax,28h
        mov ds,ax
        mov es,ax
        mov ss,ax
        mov eax,cr0
        and al,0feh
        mov cr0,eax
        jmp far [cs:back]
real:   mov ax,cs
        mov ds,ax
        mov es,ax
        mov ss,ax
        mov sp,[realStack]
        lidt [realIdt]
        mov bl,8
        call controller
        mov al,[masks]
        out 21h,al
        mov al,[masks+1]
        out 0a1h,al
        mov al,36h
        out 43h,al
        xor al,al
        out 40h,al
        out 40h,al
        sti
.drain: in al,64h               ; a key's interrupt that came meanwhile is not made up for
        test al,1
        jz .told
        in al,60h
        jmp .drain
.told:  mov dx,text1
        mov eax,[faults]
        call tell
        mov dx,text2
        mov eax,[total]
        call tell
        mov dx,text3
        mov eax,[lastPage]
        call tell
        mov dx,text4
        mov eax,[ticks]
        call tell
        mov ax,4c00h
        int 21h
already: mov dx,virtual
        mov ah,9
        int 21h
        mov ax,4c01h
        int 21h
; The first interrupt controller begins at BL.
controller: mov al,11h
        out 20h,al
        mov al,bl
        out 21h,al
        mov al,4
        out 21h,al
        mov al,1
        out 21h,al
        ret
tell:   push eax
        mov ah,9
        int 21h
        pop eax
        mov ebx,10
.split: xor edx,edx
        div ebx
        or eax,eax
        jz .last
        push dx
        call .split
        pop dx
.last:  add dl,'0'
        mov ah,2
        int 21h
        ret
virtual db 'Another program has protected mode.$'
text1   db 'faults $'
text2   db ', sum $'
text3   db ', last page $'
text4   db ', ticks $'
greeting db 'written from protected mode',0
        align 8
gdt     dq 0
gdtCode dw 0ffffh, 0, 9a00h, 40h
gdtData dw 0ffffh, 0, 9200h, 40h
        dw 0ffffh, 0, 9200h, 0cfh
gdtReal dw 0ffffh, 0, 9a00h, 0
        dw 0ffffh, 0, 9200h, 0
gdtPlace dw gdtPlace-gdt-1
        dd 0
idt     times 14 dq 0
        dw fault, 8, 8e00h, 0
        times 20h-15 dq 0
        dw timer, 8, 8e00h, 0
idtPlace dw idtPlace-idt-1
        dd 0
realIdt dw 3ffh
        dd 0
back    dw real, 0
masks   db 0, 0
realStack dw 0
        align 4
nextPage dd firstPage
faults  dd 0
ticks   dd 0
total   dd 0
lastPage dd 0
section .bss
        resb 1024
stackEnd:
