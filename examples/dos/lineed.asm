; A line editor with the calls of CP/M: file control blocks, a transfer area, buffered input.
; LINEED FILE. L lists, nD deletes line n, nI inserts before line n until a line with a dot, E ends, Q quits.
most    equ 200                 ; lines of up to 79 characters, in places of 80: length, characters
        mov ax,ds
        mov es,ax
        cmp byte [5dh],' '
        jne named
        mov dx,noName
        jmp fail
named:  mov si,5ch              ; the name is parsed already
        mov di,fcb
        mov cx,12
        rep movsb
        mov dx,fcb
        mov ah,0fh
        int 21h
        or al,al
        jnz ready               ; a new file
        mov word [fcb+14],128
        mov byte [fcb+32],0
        mov bp,lines
        xor di,di
record: mov dx,area
        mov ah,1ah
        int 21h
        mov dx,fcb
        mov ah,14h
        int 21h
        cmp al,1
        je loaded
        mov si,area
        mov cx,128
each:   lodsb
        cmp al,26
        je loaded
        cmp al,10
        je another
        cmp al,13
        je other
        inc di
        mov [bp+di],al
other:  loop each
        jmp record
another: mov ax,di
        mov [bp],al
        xor di,di
        add bp,80
        inc word [count]
        loop each
        jmp record
loaded: mov dx,fcb
        mov ah,10h
        int 21h
ready:  mov dx,fcb              ; the name again, without what the open has left
        mov di,fcb+12
        mov cx,25
        xor al,al
        rep stosb

prompt: mov dl,'*'
        call ask
        mov si,line
        call number
        and al,5fh
        cmp al,'L'
        je list
        cmp al,'D'
        je delete
        cmp al,'I'
        je insert
        cmp al,'E'
        je save
        cmp al,'Q'
        je quit
        mov dl,'?'
        call letter
        call ends
        jmp prompt
quit:   mov ax,4c00h
        int 21h

list:   mov bp,lines
        mov cx,[count]
        xor bx,bx
        jcxz prompt
.next:  inc bx
        push cx
        mov ax,bx
        call show
        mov dl,':'
        call letter
        mov cl,[bp]
        mov ch,0
        lea si,[bp+1]
        jcxz .empty
.each:  lodsb
        mov dl,al
        call letter
        loop .each
.empty: call ends
        add bp,80
        pop cx
        loop .next
        jmp prompt

place:  dec bx                  ; BX: which line; AX: where it is
        mov ax,80
        mul bx
        add ax,lines
        ret
delete: cmp bx,[count]
        ja prompt
        or bx,bx
        jz prompt
        call place
        mov di,ax
        lea si,[di+80]
        mov cx,lines+most*80
        sub cx,si
        rep movsb
        dec word [count]
        jmp prompt
insert: or bx,bx
        jnz .where
        mov bx,[count]
        inc bx
.where: mov [current],bx
.more:  mov dl,'>'
        call ask
        cmp word [buffer+1],2e01h
        je prompt
        cmp word [count],most
        je prompt
        mov bx,[current]
        call place
        mov bp,ax
        mov di,lines+most*80-1
        lea si,[di-80]
        mov cx,si
        sub cx,bp
        inc cx
        std
        rep movsb
        cld
        mov di,bp
        mov si,buffer+1
        mov cx,80
        rep movsb
        inc word [count]
        inc word [current]
        jmp .more

save:   mov si,fcb              ; what was there becomes .BAK
        mov di,backup
        mov cx,9
        rep movsb
        mov dx,backup
        mov ah,13h
        int 21h
        mov si,backup
        mov di,renamed+16
        mov cx,12
        rep movsb
        mov si,fcb
        mov di,renamed
        mov cx,12
        rep movsb
        mov dx,renamed
        mov ah,17h
        int 21h
        mov dx,fcb
        mov ah,16h
        int 21h
        or al,al
        jnz full
        mov word [fcb+14],1     ; records of a byte, many at once
        mov bp,lines
        cmp word [count],0
        je .close
.next:  lea dx,[bp+1]
        mov cl,[bp]
        mov ch,0
        mov bx,cx
        lea si,[bp+1]
        mov word [bx+si],0a0dh
        add cx,2
        mov ah,1ah
        int 21h
        mov dx,fcb
        mov ah,28h
        int 21h
        or al,al
        jnz full
        add bp,80
        dec word [count]
        jnz .next
.close: mov dx,fcb
        mov ah,10h
        int 21h
        mov dx,saved
        mov ah,9
        int 21h
        jmp quit
full:   mov dx,noRoom
fail:   mov ah,9
        int 21h
        mov ax,4c01h
        int 21h

ask:    call letter
        mov dx,buffer
        mov ah,0ah
        int 21h
ends:   mov dl,13
        call letter
        mov dl,10
letter: mov ah,2
        int 21h
        ret
number: xor bx,bx
.next:  lodsb
        cmp al,'0'
        jb .done
        cmp al,'9'
        ja .done
        sub al,'0'
        cbw
        imul bx,bx,10
        add bx,ax
        jmp .next
.done:  ret
show:   mov cl,10
        div cl
        or al,al
        jz .ones
        push ax
        cbw
        call show
        pop ax
.ones:  mov dl,ah
        add dl,'0'
        jmp letter

noName  db 'LINEED FILE$'
noRoom  db 'The file is not saved.$'
saved   db 'saved',13,10,'$'
buffer  db 78,0
line    times 80 db 0
count   dw 0
current dw 0
backup  db 0,'        BAK'
        times 25 db 0
renamed times 37 db 0
fcb     times 37 db 0
section .bss
area    resb 128
lines   resb most*80+160
