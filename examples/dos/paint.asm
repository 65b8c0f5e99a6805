; A drawing program: INT 33h with its cursor, its limits and its own handler, called at every event.
; The left button draws, the right one takes the next colour, a key ends it.
        mov ax,13h
        int 10h
        xor ax,ax
        int 33h
        inc ax
        jnz without             ; FFFFh: there is a mouse
        mov ax,7                ; columns 0 to 639 are pixels 0 to 319; rows stop before the border
        xor cx,cx
        mov dx,638
        int 33h
        mov ax,8
        mov cx,10
        mov dx,189
        int 33h
        mov ax,4
        mov cx,200
        mov dx,100
        int 33h
        mov ax,0a000h
        mov es,ax
        xor di,di               ; the border that nobody can draw on
        mov al,9
        mov cx,3200
        rep stosb
        mov di,190*320
        mov cx,3200
        rep stosb
        push cs
        pop es
        mov ax,0ch              ; movements and buttons
        mov cx,0fh
        mov dx,event
        int 33h
        mov ax,1
        int 33h
idle:   mov ah,1
        int 16h
        jz idle
        mov ah,0
        int 16h
        mov ax,2
        int 33h
        xor ax,ax
        int 33h
        mov ax,3
        int 10h
        mov ax,[dots]
        call decimal
        mov ax,4c00h
        int 21h
without: mov ax,3
        int 10h
        mov ax,4c01h
        int 21h
event:  push ds                 ; AX: what happened, BX: buttons, CX and DX: where
        push es
        push cs
        pop ds
        test ax,8               ; the right button was pressed
        jz .draw
        inc byte [colour]
.draw:  test bx,1
        jz .done
        push cx
        push dx
        mov ax,2                ; the cursor is not to be drawn over
        int 33h
        pop dx
        pop cx
        shr cx,1
        imul di,dx,320
        add di,cx
        mov ax,0a000h
        mov es,ax
        mov al,[colour]
        mov [es:di],al
        mov [es:di+1],al
        mov [es:di+320],al
        mov [es:di+321],al
        inc word [dots]
        mov ax,1
        int 33h
.done:  pop es
        pop ds
        retf
decimal: mov cx,10
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
colour  db 12
dots    dw 0
