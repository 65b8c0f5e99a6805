; A full-screen editor: polls INT 16h beside a clock, writes to B800h, loads and saves through handles.
; EDITOR FILE. Arrows, Home, End, Enter, Backspace, Delete; F2 saves, Esc quits.
mostText equ 16000
        mov ax,3
        int 10h
        mov si,81h              ; the file's name is on the command line
blank:  lodsb
        cmp al,' '
        je blank
        mov di,name
copy:   cmp al,13
        je named
        stosb
        lodsb
        jmp copy
named:  mov byte [di],0
        mov [nameEnd],di
        mov ax,3d00h
        mov dx,name
        int 21h
        jc fresh                ; a new file
        mov bx,ax
        mov ah,3fh
        mov cx,mostText
        mov dx,file
        int 21h
        mov cx,ax
        mov ah,3eh
        int 21h
        jcxz fresh
        mov si,file
        mov di,text
strip:  lodsb                   ; lines end in LF alone while they are edited
        cmp al,13
        je dropped
        stosb
dropped: loop strip
        sub di,text
        mov [length],di
fresh:  cld

main:   call draw
idle:   call clock
        int 28h
        mov ah,1
        int 16h
        jz idle
        mov ah,0
        int 16h
        cmp al,27
        je quit
        cmp al,13
        je newline
        cmp al,8
        je backspace
        cmp al,' '
        jae insert
        mov bx,keys
find:   cmp ah,[bx]
        je found
        add bx,3
        cmp byte [bx],0
        jne find
        jmp main
found:  call [bx+1]
        jmp main
quit:   mov ax,3
        int 10h
        mov ax,4c00h
        int 21h

newline: mov al,10
insert: mov cx,[length]
        cmp cx,mostText
        jae main
        mov di,text
        add di,cx
        mov si,di
        dec si
        sub cx,[cursor]
        std                     ; what is after the cursor moves up by one
        rep movsb
        cld
        mov [di],al
        inc word [length]
        inc word [cursor]
        mov byte [changed],'*'
        jmp main
backspace: cmp word [cursor],0
        je main
        dec word [cursor]
        call remove
        jmp main

remove: mov bx,[cursor]
        mov cx,[length]
        sub cx,bx
        jz .done
        dec cx
        lea di,[text+bx]
        lea si,[di+1]
        rep movsb
        dec word [length]
        mov byte [changed],'*'
.done:  ret
left:   cmp word [cursor],0
        je .done
        dec word [cursor]
.done:  ret
right:  mov ax,[cursor]
        cmp ax,[length]
        je .done
        inc word [cursor]
.done:  ret
home:   mov bx,[cursor]
.back:  or bx,bx
        jz .done
        cmp byte [text+bx-1],10
        je .done
        dec bx
        jmp .back
.done:  mov [cursor],bx
        ret
end:    mov bx,[cursor]
.on:    cmp bx,[length]
        je .done
        cmp byte [text+bx],10
        je .done
        inc bx
        jmp .on
.done:  mov [cursor],bx
        ret
up:     call column
        push ax
        call home
        pop cx
        or bx,bx
        jz .done
        dec word [cursor]
        call home
        jmp along
.done:  ret
down:   call column
        push ax
        call end
        pop cx
        cmp bx,[length]
        je down.done
        inc word [cursor]
        jmp along
.done:  ret
along:  jcxz .done              ; to the same column, or the line's end
.next:  mov bx,[cursor]
        cmp bx,[length]
        je .done
        cmp byte [text+bx],10
        je .done
        inc word [cursor]
        loop .next
.done:  ret
column: mov ax,[cursor]
        push ax
        call home
        pop bx
        xchg bx,[cursor]
        sub ax,bx
        ret

save:   mov si,text
        mov di,file
        mov cx,[length]
        jcxz .write
.next:  lodsb
        cmp al,10
        jne .plain
        mov byte [di],13
        inc di
.plain: stosb
        loop .next
.write: mov ah,3ch
        xor cx,cx
        mov dx,name
        int 21h
        jc .failed
        mov bx,ax
        mov cx,di
        sub cx,file
        mov ah,40h
        mov dx,file
        int 21h
        mov ah,3eh
        int 21h
        mov byte [changed],' '
        ret
.failed: mov byte [changed],'!'
        ret

draw:   mov ax,0b800h
        mov es,ax
        mov si,text             ; in which line is the cursor?
        mov cx,[cursor]
        xor dx,dx
        jcxz .known
.count: lodsb
        cmp al,10
        jne .same
        inc dx
.same:  loop .count
.known: cmp dx,[top]
        jae .above
        mov [top],dx
.above: mov ax,dx
        sub ax,23
        jle .below
        cmp ax,[top]
        jle .below
        mov [top],ax
.below: mov bx,dx
        sub dx,[top]
        push dx
        mov di,158              ; the line of state
        mov cx,80
        mov ax,1f20h
        xor di,di
        rep stosw
        mov di,2
        mov si,name
.name:  cmp si,[nameEnd]
        je .number
        lodsb
        stosw
        jmp .name
.number: mov byte [second],255  ; the clock is to be written anew
        mov al,[changed]
        mov [es:40],al
        mov ax,bx
        inc ax
        mov di,60
        call decimal
        mov si,text             ; the first line that is shown
        mov cx,[top]
        jcxz .rows
.skip:  lodsb
        cmp al,10
        jne .skip
        loop .skip
.rows:  mov dx,[length]
        add dx,text
        mov di,160
        mov bx,24
.row:   mov cx,80
        mov ah,7
.cell:  cmp si,dx
        je .rest
        lodsb
        cmp al,10
        je .rest
        stosw
        loop .cell
        jmp .next
.rest:  mov al,' '
        rep stosw
.next:  dec bx
        jnz .row
        push cs
        pop es
        call column
        mov dl,al
        pop ax
        mov dh,al
        inc dh
        mov ah,2
        mov bh,0
        int 10h
        ret

clock:  mov ah,2ch
        int 21h
        cmp dh,[second]
        je .done
        mov [second],dh
        push dx
        push cx
        mov ax,0b800h
        mov es,ax
        mov di,140
        pop ax
        push ax
        mov al,ah
        call two
        mov al,':'
        stosw
        pop ax
        call two
        mov al,':'
        stosw
        pop ax
        mov al,ah
        call two
        push cs
        pop es
.done:  ret
two:    aam
        add ax,3030h
        mov bl,al
        mov al,ah
        mov ah,1eh
        stosw
        mov al,bl
        stosw
        ret
decimal: mov bx,10
        xor cx,cx
.split: xor dx,dx
        div bx
        push dx
        inc cx
        or ax,ax
        jnz .split
.show:  pop ax
        mov ah,1fh
        add al,'0'
        stosw
        loop .show
        ret

keys    db 4bh
        dw left
        db 4dh
        dw right
        db 48h
        dw up
        db 50h
        dw down
        db 47h
        dw home
        db 4fh
        dw end
        db 53h
        dw remove
        db 3ch
        dw save
        db 0
length  dw 0
cursor  dw 0
top     dw 0
changed db ' '
second  db 255
section .bss
nameEnd resw 1
name    resb 130
text    resb mostText+1
file    resb mostText*2
