; A game in mode 13h: its own keyboard interrupt, the timer at 100 Hz, a back buffer copied in the retrace, its own palette.
; Catch what falls with the paddle: left and right arrow; Esc ends it.
divisor equ 11932               ; 1,193,182 Hz / 100
        mov ax,cs
        add ax,1000h            ; the back buffer is in the next 64 KiB
        mov [buffer],ax
        mov ax,13h
        int 10h
        mov dx,3c8h             ; colours 1 to 3
        mov al,1
        out dx,al
        inc dx
        mov si,palette
        mov cx,9
        rep outsb
        mov si,vectors
        call hook
        mov bx,divisor
        call setTimer
        push ds
        xor ax,ax
        mov ds,ax
        mov ax,[46ch]
        pop ds
        mov [firstTick],ax
        mov word [hundredths],0

main:   mov ax,[hundredths]     ; one turn of the game for each tick
        sub ax,[played]
        jz drawn
        inc word [played]
        mov ax,[paddle]
        cmp byte [keys+4bh],0
        je .notLeft
        sub ax,2
        jns .notLeft
        xor ax,ax
.notLeft: cmp byte [keys+4dh],0
        je .notRight
        add ax,2
        cmp ax,280
        jbe .notRight
        mov ax,280
.notRight: mov [paddle],ax
        add word [ballY],2
        cmp word [ballY],184
        jb main
        mov ax,[ballX]          ; caught?
        sub ax,[paddle]
        add ax,8
        cmp ax,48
        jae .lost
        inc byte [caught]
.lost:  inc byte [fallen]
        mov word [ballY],0
        mov ax,[ballX]
        add ax,97
        cmp ax,312
        jb .inside
        sub ax,312
.inside: mov [ballX],ax
        jmp main
drawn:  cmp byte [keys+1],0
        jne over
        mov es,[buffer]
        xor di,di
        mov eax,01010101h
        mov cx,16000
        rep stosd
        mov ax,[ballY]
        mov bx,[ballX]
        mov cx,8
        mov dx,8
        mov si,2
        call box
        mov ax,190
        mov bx,[paddle]
        mov cx,40
        mov dx,6
        mov si,3
        call box
        mov dx,3dah
.in:    in al,dx
        test al,8
        jnz .in
.out:   in al,dx
        test al,8
        jz .out
        push ds
        mov ds,[buffer]
        mov ax,0a000h
        mov es,ax
        xor si,si
        xor di,di
        mov cx,16000
        rep movsd
        pop ds
        jmp main

over:   xor bx,bx               ; everything as it was
        call setTimer
        mov si,vectors
        call hook
        push ds
        xor ax,ax
        mov ds,ax
        mov ax,[46ch]
        pop ds
        sub ax,[firstTick]
        push ax
        mov ax,3
        int 10h
        mov al,[caught]
        mov ah,0
        call decimal
        mov al,[fallen]
        mov ah,0
        call decimal
        mov ax,[hundredths]
        call decimal
        pop ax
        call decimal
        mov ax,4c00h
        int 21h

box:    imul di,ax,320          ; AX: top, BX: left, CX: width, DX: height, SI: colour
        add di,bx
        mov ax,si
.row:   push cx
        push di
        rep stosb
        pop di
        pop cx
        add di,320
        dec dx
        jnz .row
        ret
; Exchanges vectors with those in the table.
hook:   cli
        push ds
        pop es
        xor ax,ax
        mov fs,ax
.next:  mov bx,[si]
        mov eax,[si+2]
        cmp word [si+4],0
        jne .far
        mov ax,cs
        shl eax,16
        mov ax,[si+2]
.far:   xchg eax,[fs:bx]
        mov [si+2],eax
        add si,6
        cmp word [si],0
        jne .next
        sti
        ret
setTimer: mov al,36h
        out 43h,al
        mov al,bl
        out 40h,al
        mov al,bh
        out 40h,al
        ret
keyboard: push ax
        push bx
        in al,60h
        mov bl,al
        and bx,7fh
        shl al,1
        cmc
        sbb al,al
        mov [cs:keys+bx],al     ; not 0 while it is down
        mov al,20h
        out 20h,al
        pop bx
        pop ax
        iret
timer:  push ax
        inc word [cs:hundredths]
        add word [cs:passed],divisor
        jc .old                 ; every 65,536 clocks the BIOS has its own
        mov al,20h
        out 20h,al
        pop ax
        iret
.old:   pop ax
        jmp far [cs:vectors+2]
decimal: mov cx,10
        call .split
        mov dl,' '
        mov ah,2
        int 21h
        ret
.split: xor dx,dx
        div cx
        or ax,ax
        jz .last
        push dx
        call .split
        pop dx
.last:  add dl,'0'
        mov ah,2
        int 21h
        ret
palette db 0,0,20, 63,63,0, 0,63,0
vectors dw 20h, timer, 0
        dw 24h, keyboard, 0
        dw 0
paddle  dw 140
ballX   dw 40
ballY   dw 0
played  dw 0
passed  dw 0
hundredths dw 0
caught  db 0
fallen  db 0
keys    times 128 db 0
section .bss
buffer  resw 1
firstTick resw 1
