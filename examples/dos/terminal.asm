; A terminal on COM1: the UART's registers, its interrupt, a ring buffer of received bytes. Esc quits.
port    equ 3f8h
        mov ax,350ch
        int 21h
        mov [old],bx
        mov [old+2],es
        mov dx,received
        mov ax,250ch
        int 21h
        mov dx,port+3           ; 9600 baud, 8 bits, no parity
        mov al,80h
        out dx,al
        mov dx,port
        mov ax,12
        out dx,ax
        mov dx,port+3
        mov al,3
        out dx,al
        mov dx,port+4           ; DTR, RTS, and the gate of its interrupt
        mov al,0bh
        out dx,al
        mov dx,port+1
        mov al,1
        out dx,al
        in al,21h
        and al,0efh
        out 21h,al
        mov dx,ready
        mov ah,9
        int 21h
main:   mov si,[head]
        cmp si,[tail]
        je keys
        mov al,[ring+si]
        inc si
        and si,255
        mov [head],si
        mov ah,0eh              ; a letter has come
        mov bx,7
        int 10h
        jmp main
keys:   mov ah,1
        int 16h
        jz main
        mov ah,0
        int 16h
        cmp al,27
        je quit
        mov ah,al
        mov dx,port+5
full:   in al,dx
        test al,20h
        jz full
        mov al,ah
        mov dx,port
        out dx,al
        jmp main
quit:   mov dx,port+1
        xor al,al
        out dx,al
        in al,21h
        or al,10h
        out 21h,al
        lds dx,[old]
        mov ax,250ch
        int 21h
        mov al,[cs:count]
        mov ah,4ch
        int 21h
received: push ax               ; INT 0Ch
        push bx
        push dx
        push ds
        push cs
        pop ds
.more:  mov dx,port+5
        in al,dx
        test al,1
        jz .done
        mov dx,port
        in al,dx
        mov bx,[tail]
        mov [ring+bx],al
        inc bl
        mov [tail],bx
        inc byte [count]
        jmp .more
.done:  mov al,20h
        out 20h,al
        pop ds
        pop dx
        pop bx
        pop ax
        iret
ready   db 'COM1 at 9600 baud',13,10,'$'
head    dw 0
tail    dw 0
count   db 0
section .bss
old     resw 2
ring    resb 256
