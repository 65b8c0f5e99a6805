; Text mode with a colour for each line: polls 3DAh for the retraces and writes the background's colour to the DAC.
; A key ends it.
        mov ax,3
        int 10h
        mov dx,text
        mov ah,9
        int 21h
frame:  mov dx,3dah
        cli
.shown: in al,dx                ; the beam goes back up
        test al,8
        jz .shown
.retrace: in al,dx
        test al,8
        jnz .retrace
.hidden: in al,dx
        test al,1
        jnz .hidden
        mov cx,256
        xor bl,bl
line:   mov dx,3c8h             ; while a line is shown all is made ready
        xor al,al
        out dx,al
        inc dx
        out dx,al
        out dx,al
        mov al,bl
        shr al,2                ; blue: a quarter of the line's number
        mov ah,al
        mov dx,3dah
.shown: in al,dx
        test al,1
        jz .shown
        mov dx,3c9h
        mov al,ah
        out dx,al
        mov dx,3dah
.dark:  in al,dx
        test al,1
        jnz .dark
        inc bl
        loop line
        mov dx,3c8h             ; black below
        xor al,al
        out dx,al
        inc dx
        out dx,al
        out dx,al
        out dx,al
        sti
        mov ah,1
        int 16h
        jz frame
        mov ah,0
        int 16h
        mov ax,4c00h
        int 21h
text    db 'a sky of 64 colours',13,10,'$'
