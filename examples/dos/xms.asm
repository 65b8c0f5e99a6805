; Extended memory: sorts 16,384 numbers in four blocks, keeps them above the first megabyte, and merges them from there.
block   equ 4096
        mov ax,4300h
        int 2fh
        cmp al,80h
        jne without
        mov ax,4310h
        int 2fh
        mov [driver],bx
        mov [driver+2],es
        push cs
        pop es
        mov ah,9
        mov dx,32               ; KiB
        call far [driver]
        or ax,ax
        jz without
        mov [handle],dx
        xor bp,bp
fill:   mov di,numbers
        mov cx,block
.next:  mov ax,[seed]           ; x = 25173 x + 13849
        imul ax,ax,25173
        add ax,13849
        mov [seed],ax
        stosw
        loop .next
        call sort
        mov word [length],block*2
        mov word [source],0     ; from memory below, to the block's place
        mov word [sourcePlace],numbers
        mov [sourcePlace+2],cs
        mov ax,[handle]
        mov [target],ax
        mov ax,bp
        imul ax,ax,block*2
        mov [targetPlace],ax
        mov word [targetPlace+2],0
        call move
        inc bp
        mov bx,bp
        dec bx
        add bx,bx
        mov ax,[targetPlace]
        mov [starts+bx],ax
        add ax,block*2
        mov [limits+bx],ax
        call head
        cmp bp,4
        jb fill
        mov ax,4*block          ; the smallest of four heads, again and again
merge:  push ax
        xor bx,bx
        mov di,-1
.look:  mov ax,[starts+bx]
        cmp ax,[limits+bx]
        je .not
        cmp di,-1
        je .better
        mov ax,[values+bx]
        cmp ax,[values+di]
        jae .not
.better: mov di,bx
.not:   add bx,2
        cmp bx,8
        jb .look
        mov ax,[values+di]
        cmp ax,[before]
        jb wrong
        mov [before],ax
        inc word [place]
        cmp word [place],1
        je .told
        cmp word [place],2*block
        je .told
        cmp word [place],4*block
        jne .on
.told:  push di
        call decimal
        mov dl,' '
        mov ah,2
        int 21h
        pop di
.on:    mov bx,di
        add word [starts+bx],2
        call head
        pop ax
        dec ax
        jnz merge
        mov dx,[handle]
        mov ah,0ah
        call far [driver]
        dec al
        mov ah,4ch
        int 21h
wrong:  mov dx,disorder
        jmp fail
without: mov dx,none
fail:   mov ah,9
        int 21h
        mov ax,4c63h
        int 21h

; The number that block BX/2 is at, into its value.
head:   mov ax,[starts+bx]
        cmp ax,[limits+bx]
        je move.done
        mov word [length],2
        mov cx,[handle]
        mov [source],cx
        mov [sourcePlace],ax
        mov word [sourcePlace+2],0
        mov word [target],0
        lea ax,[values+bx]
        mov [targetPlace],ax
        mov [targetPlace+2],cs
move:   mov si,length
        mov ah,0bh
        call far [driver]
        or ax,ax
        jz wrong
.done:  ret

; Shell's sort of the numbers, without sign.
sort:   mov bx,block
.pass:  and bx,0fffeh           ; the distance in bytes: half as many numbers
        mov si,bx
.each:  mov ax,[numbers+si]
        mov di,si
.back:  cmp di,bx
        jb .put
        sub di,bx
        cmp [numbers+di],ax
        jbe .stay
        mov dx,[numbers+di]
        push di
        add di,bx
        mov [numbers+di],dx
        pop di
        jmp .back
.stay:  add di,bx
.put:   mov [numbers+di],ax
        add si,2
        cmp si,block*2
        jb .each
        shr bx,1
        cmp bx,1
        ja .pass
        ret
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
none    db 'There is no extended memory.$'
disorder db 'The order is wrong.$'
seed    dw 1
before  dw 0
place   dw 0
length  dd 0
source  dw 0
sourcePlace dw 0, 0
target  dw 0
targetPlace dw 0, 0
section .bss
driver  resw 2
handle  resw 1
starts  resw 4
limits  resw 4
values  resw 4
numbers resw block
