; A compiler: reads a source, writes a COM file of machine code, gives memory back, runs it by EXEC and prints its exit code.
; COMPILER NAME reads NAME.SRC and writes NAME.COM. The language: a = expression; print expression; exit expression;
; while expression { ... }. Letters are variables of 16 bits; + - * / < ( ) are known.
variables equ 0f000h            ; in the compiled program
        mov sp,ownStack
        mov ah,4ah              ; what is above the program is for its child
        mov bx,ownStack+15
        shr bx,4
        int 21h
        mov si,81h
blank:  lodsb
        cmp al,' '
        je blank
        mov di,name
copy:   cmp al,13
        je named
        stosb
        lodsb
        jmp copy
named:  mov [dot],di
        mov si,dotSrc
        mov cx,5
        rep movsb
        mov ax,3d00h
        mov dx,name
        int 21h
        mov dx,noFile
        jc fail
        mov bx,ax
        mov ah,3fh
        mov cx,4000
        mov dx,source
        int 21h
        mov di,source
        add di,ax
        mov byte [di],0
        mov ah,3eh
        int 21h
        mov si,runtime          ; the compiled program begins with what it needs
        mov di,code
        mov cx,runtimeEnd-runtime
        rep movsb
        mov si,source
compile: call skip
        or al,al
        jz compiled
        call statement
        jmp compile
compiled: mov ax,0c031h         ; xor ax,ax
        stosw
        call jumpToExit
        push di
        mov di,[dot]
        mov si,dotCom
        mov cx,5
        rep movsb
        mov ah,3ch
        xor cx,cx
        mov dx,name
        int 21h
        mov dx,noFile
        jc fail
        mov bx,ax
        pop cx
        sub cx,code
        mov dx,code
        mov ah,40h
        int 21h
        mov ah,3eh
        int 21h
        mov [parameters+4],ds
        mov [parameters+8],ds
        mov [parameters+12],ds
        mov ax,4b00h
        mov bx,parameters
        mov dx,name
        int 21h
        push cs
        pop ds
        mov dx,noRun
        jc fail
        mov ah,4dh
        int 21h
        push ax
        mov dx,ended
        mov ah,9
        int 21h
        pop ax
        mov ah,0
        call printNumber        ; the routine that compiled programs have
        mov ax,4c00h
        int 21h
fail:   mov ah,9
        int 21h
        mov ax,4c01h
        int 21h

statement: call skip
        cmp al,'{'
        je block
        cmp byte [si+1],'a'
        jae keyword
        call variable           ; a = expression
        push bx
        mov al,'='
        call expect
        call expression
        mov al,0a3h             ; mov [variable],ax
        stosb
        pop ax
        stosw
semicolon: mov al,';'
expect: push ax
        call skip
        pop bx
        inc si
        cmp al,bl
        mov dx,syntax
        jne fail
        ret
block:  inc si
.more:  call skip
        cmp al,'}'
        je .closed
        call statement
        jmp .more
.closed: inc si
        ret
keyword: push ax                 ; its first letter tells which
.letter: inc si
        cmp byte [si],'a'
        jae .letter
        pop ax
        cmp al,'w'
        je while
        push ax
        call expression
        call semicolon
        pop ax
        cmp al,'e'
        je jumpToExit
        mov al,0e8h             ; call printNumber
        stosb
        mov ax,printNumber-runtime+100h
        jmp relative
jumpToExit: mov al,0e9h
        stosb
        mov ax,exit-runtime+100h
relative: sub ax,di             ; AX: where to, in the compiled program
        add ax,code-100h-2
        stosw
        ret
while:  push di
        call expression
        mov ax,0c009h           ; or ax,ax / jz past the loop
        stosw
        mov ax,840fh
        stosw
        push di
        stosw
        call statement
        pop bx
        mov ax,di               ; past the jump back, too
        sub ax,bx
        inc ax
        mov [bx],ax
        mov al,0e9h
        stosb
        pop ax
        sub ax,di
        sub ax,2
        stosw
        ret

expression: call sum
.more:  call skip
        cmp al,'<'
        jne done
        inc si
        call held
        call sum
        push si
        mov si,less
        mov cx,lessEnd-less
        rep movsb
        pop si
        jmp .more
sum:    call product
.more:  call skip
        cmp al,'+'
        je .plus
        cmp al,'-'
        jne done
        inc si
        call held
        call product
        mov ax,915bh            ; pop bx / xchg ax,cx
        stosw
        mov ax,0d889h           ; mov ax,bx
        stosw
        mov ax,0c829h           ; sub ax,cx
        stosw
        jmp .more
.plus:  inc si
        call held
        call product
        mov al,5bh              ; pop bx
        stosb
        mov ax,0d801h           ; add ax,bx
        stosw
        jmp .more
product: call factor
.more:  call skip
        cmp al,'*'
        je .times
        cmp al,'/'
        jne done
        inc si
        call held
        call factor
        mov ax,5893h            ; xchg ax,bx / pop ax
        stosw
        mov al,99h              ; cwd
        stosb
        mov ax,0fbf7h           ; idiv bx
        stosw
        jmp .more
.times: inc si
        call held
        call factor
        mov al,5bh
        stosb
        mov ax,0ebf7h           ; imul bx
        stosw
        jmp .more
held:   mov al,50h              ; push ax
        stosb
done:   ret
factor: call skip
        cmp al,'('
        je .inside
        cmp al,'a'
        jae .variable
        xor bx,bx
.digit: mov al,[si]
        sub al,'0'
        cmp al,9
        ja .number
        inc si
        cbw
        imul bx,bx,10
        add bx,ax
        jmp .digit
.number: mov al,0b8h            ; mov ax,number
        stosb
        mov ax,bx
        stosw
        ret
.variable: call variable
        mov al,0a1h             ; mov ax,[variable]
        stosb
        mov ax,bx
        stosw
        ret
.inside: inc si
        call expression
        mov al,')'
        jmp expect
variable: call skip
        inc si
        sub al,'a'
        cbw
        mov bx,ax
        add bx,bx
        add bx,variables
        ret
skip:   mov al,[si]
        or al,al
        jz done
        cmp al,' '
        ja done
        inc si
        jmp skip

runtime: jmp runtimeEnd
printNumber: or ax,ax           ; works at any address
        jns .positive
        push ax
        mov ah,2
        mov dl,'-'
        int 21h
        pop ax
        neg ax
.positive: call .digits
        mov ah,2
        mov dl,13
        int 21h
        mov dl,10
        int 21h
        ret
.digits: xor dx,dx
        mov cx,10
        div cx
        or ax,ax
        jz .last
        push dx
        call .digits
        pop dx
.last:  add dl,'0'
        mov ah,2
        int 21h
        ret
exit:   mov ah,4ch
        int 21h
runtimeEnd:
less:   pop bx
        cmp bx,ax
        mov ax,0
        setl al
lessEnd:

dotSrc  db '.SRC',0
dotCom  db '.COM',0
noFile  db 'No such file.$'
noRun   db 'It does not run.$'
syntax  db 'This is no program.$'
ended   db 'exit code $'
parameters dw 0, 80h, 0, 5ch, 0, 6ch, 0
section .bss
dot     resw 1
name    resb 130
source  resb 4100
code    resb 4100
        resb 512
ownStack:
