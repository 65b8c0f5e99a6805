; A file utility: searches with wildcards, directories, attributes, moving, dates, and a handler of critical errors.
        mov dx,transfer
        mov ah,1ah
        int 21h
        mov ah,4eh              ; all texts with their sizes
        xor cx,cx
        mov dx,pattern
        int 21h
        jc fail
list:   mov si,transfer+1eh
        call say
        mov dl,' '
        call letter
        mov ax,[transfer+1ah]
        add [total],ax
        call decimal
        call newline
        mov ah,4fh
        int 21h
        jnc list
        mov si,sum
        call say
        mov ax,[total]
        call decimal
        call newline
        mov ah,39h              ; the first goes into a directory, under another name
        mov dx,folder
        int 21h
        jc fail
        mov ah,56h
        mov dx,from
        mov di,target
        int 21h
        jc fail
        mov ax,4301h            ; what is read-only cannot be deleted
        mov cx,1
        mov dx,victim
        int 21h
        jc fail
        mov ah,41h
        int 21h
        jnc fail
        cmp ax,5
        jne fail
        mov si,refused
        call say
        mov ax,4301h
        xor cx,cx
        mov dx,victim
        int 21h
        mov ah,41h
        int 21h
        jc fail
        mov ah,3bh              ; into the directory, and what it is called
        mov dx,folder
        int 21h
        jc fail
        mov ah,47h
        mov dl,0
        mov si,place
        int 21h
        mov si,inside
        call say
        mov si,place
        call say
        call newline
        mov ax,3d00h            ; the date of the file that was moved
        mov dx,moved
        int 21h
        jc fail
        mov bx,ax
        mov ax,5701h
        mov cx,(13<<11)+(37<<5)
        mov dx,((1991-1980)<<9)+(8<<5)+26
        int 21h
        mov ax,5700h
        int 21h
        mov ax,dx
        shr ax,9
        add ax,1980
        call decimal
        call newline
        mov ah,3eh
        int 21h
        mov ah,3bh
        mov dx,up
        int 21h
        mov ax,3524h            ; nobody is asked about a drive without a disk
        int 21h
        push es
        push bx
        mov ax,2524h
        mov dx,critical
        int 21h
        push cs
        pop es
        mov ax,3d00h
        mov dx,noDisk
        int 21h
        jnc fail
        mov [answer],ax
        mov si,error
        call say
        mov al,[code]
        mov ah,0
        call decimal
        mov si,onDrive
        call say
        mov dl,[drive]
        add dl,'A'
        call letter
        mov si,given
        call say
        mov ax,[answer]
        call decimal
        call newline
        pop dx
        pop ds
        mov ax,2524h
        int 21h
        mov ax,4c00h
        int 21h
fail:   push cs
        pop ds
        mov si,sorry
        call say
        mov ax,4c01h
        int 21h

critical: mov [cs:drive],al     ; INT 24h
        mov ax,di
        mov [cs:code],al
        mov al,3                ; the call fails
        iret

say:    lodsb
        or al,al
        jz .done
        mov dl,al
        call letter
        jmp say
.done:  ret
newline: mov dl,13
        call letter
        mov dl,10
letter: push ax
        mov ah,2
        int 21h
        pop ax
        ret
decimal: push dx
        push cx
        mov cx,10
        xor dx,dx
        div cx
        or ax,ax
        jz .last
        call decimal
.last:  add dl,'0'
        call letter
        pop cx
        pop dx
        ret
pattern db 'A?.TXT',0
folder  db 'OLD',0
from    db 'A1.TXT',0
target  db 'OLD\A1.BAK',0
moved   db 'A1.BAK',0
victim  db 'B.DAT',0
up      db '..',0
noDisk  db 'A:\X.TXT',0
sum     db 'bytes: ',0
refused db 'read-only files stay',13,10,0
inside  db 'now in \',0
error   db 'critical error ',0
onDrive db ' on drive ',0
given   db ', the call gives ',0
sorry   db 'failed',13,10,0
total   dw 0
answer  dw 0
code    db 255
drive   db 255
transfer times 43 db 0
place   times 64 db 0
