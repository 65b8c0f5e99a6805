; A resident program: hooks INT 8, 9, 21h and 28h and pops up on Alt+F10 over whatever is on the screen.
; POPUP stays resident, POPUP /U removes it. Its window shows how many files were opened.
        jmp install
old8    dd 0
old9    dd 0
old21   dd 0
old28   dd 0
inDos   dd 0
oldStack dd 0
opened  dw 0
wanted  db 0

key:    push ax                 ; INT 9
        in al,60h
        cmp al,44h              ; F10
        jne .pass
        push ds
        xor ax,ax
        mov ds,ax
        test byte [417h],8      ; Alt
        pop ds
        jz .pass
        mov byte [cs:wanted],1
        in al,61h               ; the key is taken here
        mov ah,al
        or al,80h
        out 61h,al
        mov al,ah
        out 61h,al
        mov al,20h
        out 20h,al
        pop ax
        iret
.pass:  pop ax
        jmp far [cs:old9]

tick:   pushf                   ; INT 8
        call far [cs:old8]
        cmp byte [cs:wanted],0
        je .out
        push ds
        push bx
        lds bx,[cs:inDos]       ; DOS is at work: INT 28h will tell when it only waits
        cmp byte [bx],0
        pop bx
        pop ds
        jne .out
        call popUp
.out:   iret

idle:   cmp byte [cs:wanted],0  ; INT 28h
        je .pass
        call popUp
.pass:  jmp far [cs:old28]

calls:  cmp ax,0c0deh           ; INT 21h
        je .asked
        cmp ah,3dh
        jne .pass
        inc word [cs:opened]
.pass:  jmp far [cs:old21]
.asked: mov ax,0edc0h
        push cs
        pop es
        iret

popUp:  mov byte [cs:wanted],0
        mov [cs:oldStack],sp
        mov [cs:oldStack+2],ss
        cli
        push cs
        pop ss
        mov sp,ownStack
        sti
        cld
        pusha
        push ds
        push es
        push cs
        pop ds
        mov ax,[opened]
        mov di,digits+3
        mov cx,10
.digit: xor dx,dx
        div cx
        add dl,'0'
        mov [di],dl
        dec di
        or ax,ax
        jnz .digit
        push cs
        pop es
        mov ax,0b800h
        mov ds,ax
        mov si,10*160+50        ; what was there is kept
        mov di,kept
        mov dx,3
.keep:  mov cx,30
        rep movsw
        add si,100
        dec dx
        jnz .keep
        push ds
        pop es
        push cs
        pop ds
        mov si,window
        mov di,10*160+50
        mov dx,3
        mov ah,4eh
.draw:  mov cx,30
.cell:  lodsb
        stosw
        loop .cell
        add di,100
        dec dx
        jnz .draw
        mov ah,0
        int 16h
        mov si,kept
        mov di,10*160+50
        mov dx,3
.back:  mov cx,30
        rep movsw
        add di,100
        dec dx
        jnz .back
        pop es
        pop ds
        popa
        cli
        mov ss,[cs:oldStack+2]
        mov sp,[cs:oldStack]
        ret

window  db 201
        times 28 db 205
        db 187, 186, '  files opened:       '
digits  db '      ', 186, 200
        times 28 db 205
        db 188
kept    times 90 dw 0
        times 128 dw 0
ownStack:

install: mov ax,0c0deh
        int 21h
        cmp ax,0edc0h
        je there
        mov si,hooks
.next:  lodsb
        mov ah,35h
        int 21h
        mov ah,25h
        mov di,[si]
        mov [di],bx
        mov [di+2],es
        mov dx,[si+2]
        int 21h
        add si,4
        cmp byte [si],0
        jne .next
        mov ah,34h
        int 21h
        mov [inDos],bx
        mov [inDos+2],es
        mov es,[2ch]            ; it needs no environment
        mov ah,49h
        int 21h
        mov dx,stays
        mov ah,9
        int 21h
        mov dx,install+15
        shr dx,4
        mov ax,3100h
        int 21h
there:  cmp byte [82h],'/'
        je remove
        mov dx,already
        jmp say
remove: push es                 ; ES: the resident part
        push es
        pop ds
        mov si,hooks
.next:  cs lodsb
        mov ah,25h
        mov di,[cs:si]
        push ds
        lds dx,[di]
        int 21h
        pop ds
        add si,4
        cmp byte [cs:si],0
        jne .next
        pop es
        mov ah,49h
        int 21h
        push cs
        pop ds
        mov dx,gone
say:    mov ah,9
        int 21h
        mov ax,4c00h
        int 21h
hooks   db 8
        dw old8, tick
        db 9
        dw old9, key
        db 21h
        dw old21, calls
        db 28h
        dw old28, idle
        db 0
stays   db 'resident',13,10,'$'
already db 'already there',13,10,'$'
gone    db 'removed',13,10,'$'
