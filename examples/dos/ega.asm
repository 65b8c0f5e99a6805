; 640x350 with 16 colours in four planes: set/reset, bit mask, write modes 0, 1, 2 and 3, XOR, colour compare.
        mov ax,10h
        int 10h
        mov ax,0a000h
        mov es,ax
        mov dx,3ceh
        mov ax,0f01h            ; set/reset: every byte written is colour 1
        out dx,ax
        mov ax,0100h
        out dx,ax
        xor di,di
        mov cx,28000
        rep stosb
        mov ax,0400h            ; a red box of whole bytes: x 64 to 191, y 50 to 99
        out dx,ax
        mov di,50*80+8
        mov bx,50
.red:   mov cx,16
        rep stosb
        add di,64
        dec bx
        jnz .red
        mov ax,0001h
        out dx,ax
        mov ax,0205h            ; write mode 2: single pixels of colour 14, a diagonal
        out dx,ax
        mov bx,0
.dot:   mov cx,bx
        and cl,7
        mov ax,8008h
        shr ah,cl
        out dx,ax
        mov di,bx
        shr di,3
        imul ax,bx,80
        add di,ax
        mov al,[es:di]          ; into the latches
        mov byte [es:di],14
        inc bx
        cmp bx,300
        jb .dot
        mov ax,0ff08h
        out dx,ax
        mov ax,0105h            ; write mode 1: the box again, 200 pixels to the right and 100 down
        out dx,ax
        mov si,50*80+8
        mov di,150*80+33
        push ds
        push es
        pop ds
        mov bx,50
.copy:  mov cx,16
        rep movsb
        add si,64
        add di,64
        dec bx
        jnz .copy
        pop ds
        mov ax,0005h
        out dx,ax
        mov ax,1803h            ; XOR with white on the left half of the copy
        out dx,ax
        mov ax,0f01h
        out dx,ax
        mov ax,0f00h
        out dx,ax
        mov di,150*80+33
        mov bx,50
.xor:   mov cx,8
.byte:  mov al,[es:di]
        stosb
        loop .byte
        add di,72
        dec bx
        jnz .xor
        mov ax,0003h
        out dx,ax
        mov ax,0b00h            ; write mode 3: the byte is a mask of light cyan
        out dx,ax
        mov ax,0305h
        out dx,ax
        mov di,250*80+40
        mov bx,20
.mask:  mov al,[es:di]
        mov byte [es:di],0f0h
        add di,80
        dec bx
        jnz .mask
        mov ax,0805h            ; read mode 1: how many pixels are yellow?
        out dx,ax
        mov ax,0e02h
        out dx,ax
        mov ax,0f07h
        out dx,ax
        xor si,si
        xor bp,bp
.count: mov al,[es:si]
.bits:  or al,al
        jz .next
        shl al,1
        adc bp,0
        jmp .bits
.next:  inc si
        cmp si,28000
        jb .count
        mov ax,0005h            ; as the BIOS wants it
        out dx,ax
        mov ax,0001h
        out dx,ax
        mov ax,1000h            ; colour 4 becomes magenta by the palette
        mov bx,0504h
        int 10h
        mov ah,0
        int 16h
        mov ax,3
        int 10h
        mov ax,bp
        call decimal
        mov ax,4c00h
        int 21h
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
