; Mode X: 320x240 with 256 colours in planes, two pages that are flipped, a panel below by the split screen, copies by
; latches. A key stops the animation; another key ends the program.
panel   equ 0                   ; 40 lines, shown below the split
page0   equ 3200
page1   equ page0+16000
tile    equ page1+16000         ; what the background is copied from
        mov ax,13h
        int 10h
        mov dx,3c4h
        mov ax,0604h            ; no chain of four
        out dx,ax
        mov ax,0100h
        out dx,ax
        mov dx,3c2h             ; 480 lines
        mov al,0e3h
        out dx,al
        mov dx,3c4h
        mov ax,0300h
        out dx,ax
        mov dx,3d4h             ; the first registers can be written
        mov al,11h
        out dx,al
        inc dx
        in al,dx
        and al,7fh
        out dx,al
        dec dx
        mov si,registers
        mov cx,registerCount
.next:  lodsw
        out dx,ax
        loop .next
        mov ax,0a000h
        mov es,ax
        mov dx,3c4h             ; panel: four columns of each colour, one in each plane
        mov bx,1
.plane: mov al,2
        mov ah,bl
        out dx,ax
        mov di,panel
        mov al,bh
        add al,40
        mov cx,3200
        rep stosb
        inc bh
        shl bl,1
        cmp bl,16
        jne .plane
        mov ax,0f02h            ; a tile of 80 times four pixels, all planes at once
        out dx,ax
        mov di,tile
        mov cx,80
        mov al,1
.tile:  stosb
        inc al
        loop .tile

frame:  mov dx,3c4h             ; all planes
        mov ax,0f02h
        out dx,ax
        mov di,[hidden]
        mov dx,3ceh             ; write mode 1: what was read goes on, four pixels a byte
        mov ax,4105h
        out dx,ax
        push ds
        push es
        pop ds
        mov bp,200
.row:   mov si,tile
        mov cx,80
        rep movsb
        dec bp
        jnz .row
        pop ds
        mov ax,4005h
        out dx,ax
        mov bx,[number]         ; a block of 30x30 at four times the number
        and bx,63
        mov ax,80*60
        add ax,bx
        mov di,[hidden]
        add di,ax
        mov bp,30
        mov dx,3c4h
.line:  mov ax,0f02h
        out dx,ax
        mov al,255
        mov cx,7
        rep stosb
        mov ax,0302h            ; the last two pixels
        out dx,ax
        mov byte [es:di],255
        add di,73
        dec bp
        jnz .line
        mov bx,[hidden]         ; show it from the next frame on
        mov dx,3d4h
        mov al,0ch
        mov ah,bh
        out dx,ax
        inc al
        mov ah,bl
        out dx,ax
        mov dx,3dah
.in:    in al,dx
        test al,8
        jz .in
.out:   in al,dx
        test al,8
        jnz .out
        mov ax,page0+page1
        sub ax,[hidden]
        mov [hidden],ax
        inc word [number]
        mov ah,1
        int 16h
        jz frame
        mov ah,0
        int 16h
        mov ah,0
        int 16h
        mov ax,3
        int 10h
        mov ax,4c00h
        int 21h
hidden  dw page1
number  dw 0
registers dw 0d06h, 3e07h, 4109h, 0ea10h, 0ac11h, 0df12h, 0014h, 0e715h, 0616h, 0e317h
        dw 8f18h, 3e07h, 0109h ; split after line 399: bit 8 is in 7, bit 9 in 9
registerCount equ ($-registers)/2
