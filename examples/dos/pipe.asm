; What a shell does: runs itself twice, the first child's output into a file, the second child's input from it.
; The second child converts to upper case; its exit code is the number of lines read.
        mov al,[82h]
        cmp byte [80h],2
        jb parent
        cmp al,'p'
        je producer
        cmp al,'c'
        je consumer
parent: mov sp,ownStack
        mov ah,4ah
        mov bx,ownStack+15
        shr bx,4
        int 21h
        mov es,[2ch]            ; its own name is behind the environment
        xor di,di
        xor al,al
        mov cx,-1
.next:  repne scasb
        scasb
        jne .next
        add di,2
        mov [name],di
        mov [name+2],es
        push cs
        pop es
        mov ah,3ch
        xor cx,cx
        mov dx,file
        int 21h
        jc fail
        mov cx,1
        mov dx,producing
        call child
        mov ax,3d00h
        mov dx,file
        int 21h
        jc fail
        mov cx,0
        mov dx,consuming
        call child
        mov ah,41h
        mov dx,file
        int 21h
        mov ah,4dh
        int 21h
        add al,'0'
        mov [count],al
        mov dx,told
        mov ah,9
        int 21h
        mov ax,4c00h
        int 21h

; Runs it with the command line DX, the file AX in the place of handle CX.
child:  mov [tail],dx
        mov [tail+2],cs
        mov [first+2],cs
        mov [second+2],cs
        push cx
        push ax
        mov bx,cx
        mov ah,45h              ; what the handle was
        int 21h
        jc fail
        pop bx
        mov si,ax
        mov ah,46h
        int 21h
        jc fail
        mov ah,3eh
        int 21h
        push si
        mov ax,4b00h
        mov bx,parameters
        lds dx,[name]
        int 21h
        push cs
        pop ds
        push cs
        pop es
        jc fail
        pop bx
        pop cx
        mov ah,46h              ; and is again
        int 21h
        mov ah,3eh
        int 21h
        ret
fail:   mov dx,sorry
        mov ah,9
        int 21h
        mov ax,4c63h
        int 21h

producer: mov dx,lines
        mov ah,9
        int 21h
        mov ax,4c00h
        int 21h
consumer: xor bp,bp
.next:  mov ah,3fh
        xor bx,bx
        mov cx,1
        mov dx,letter
        int 21h
        or ax,ax
        jz .end
        mov al,[letter]
        cmp al,10
        jne .plain
        inc bp
.plain: cmp al,'a'
        jb .write
        cmp al,'z'
        ja .write
        sub byte [letter],32
.write: mov ah,40h
        mov bx,1
        mov cx,1
        mov dx,letter
        int 21h
        jmp .next
.end:   mov ax,bp
        mov ah,4ch
        int 21h

file    db 'PIPE.TMP',0
producing db 2,' p',13
consuming db 2,' c',13
lines   db 'one line',13,10,'and another',13,10,'and the last',13,10,'$'
told    db 'exit code '
count   db '0',13,10,'$'
sorry   db 'A child cannot be run.',13,10,'$'
letter  db 0
parameters dw 0
tail    dw 0, 0
first   dw 5ch, 0
second  dw 6ch, 0
section .bss
name    resw 2
        resb 512
ownStack:
