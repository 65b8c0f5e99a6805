; An interpreter of BASIC: numbered lines kept in order, a parser that calls itself, jumps and subroutines.
; LIST, RUN, NEW, BYE; PRINT, LET, INPUT, IF ... THEN, GOTO, GOSUB, RETURN, END; A to Z of 16 bits; + - * / ( ) = < >
most    equ 100                 ; lines in places of 64: number, text, 0
        mov dx,hello
        call say
ready:  mov dx,prompt
        call say
again:  mov sp,0fffeh           ; errors and jumps leave whatever was under way
        call read
        mov si,buffer+2
        call skip
        cmp al,13
        je again
        call isDigit
        jc immediate
        call number             ; a line with a number is kept
        call keep
        jmp again
immediate: mov word [current],0
        call statement
        jmp ready

; The statement at SI. Lines of the program are run until it ends.
statement: call skip
        mov di,words
.word:  push si
.compare: mov al,[di]
        or al,al
        jz .is
        mov ah,[si]
        call upper
        cmp al,ah
        jne .not
        inc si
        inc di
        jmp .compare
.not:   pop si
.past:  inc di
        cmp byte [di-1],0
        jne .past
        add di,2
        cmp byte [di],0
        jne .word
        jmp let                 ; A=1 without the word
.is:    pop ax
        jmp [di+1]

run:    mov word [depth],0
        mov bx,program
        mov cx,26
        mov di,variables
        xor ax,ax
        rep stosw
line:   cmp word [bx],0         ; the line at BX
        je ready
        mov [current],bx
        lea si,[bx+2]
        call statement
next:   mov bx,[current]
        or bx,bx
        jz ready
        add bx,64
        jmp line

new:    mov word [program],0
        ret
bye:    mov ax,4c00h
        int 21h
end:    jmp ready
list:   mov bx,program
.next:  cmp word [bx],0
        je .done
        mov ax,[bx]
        call decimal
        mov dl,' '
        call letter
        lea si,[bx+2]
.each:  lodsb
        cmp al,13
        je .ends
        mov dl,al
        call letter
        jmp .each
.ends:  call newline
        add bx,64
        jmp .next
.done:  ret

print:  call skip
        cmp al,13
        je newline
        cmp al,'"'
        jne .value
        inc si
.text:  lodsb
        cmp al,'"'
        je .more
        cmp al,13
        je syntax
        mov dl,al
        call letter
        jmp .text
.value: call expression
        call decimal
.more:  call skip
        cmp al,';'
        jne newline
        inc si
        call skip
        cmp al,13
        jne print
        ret
let:    call variable
        push di
        call skip
        cmp al,'='
        jne syntax
        inc si
        call expression
        pop di
        mov [di],ax
        ret
input:  call variable
        mov dl,'?'
        call letter
        push di
        call read
        mov si,buffer+2
        call expression
        pop di
        mov [di],ax
        ret
if:     call expression
        push ax
        call skip
        push ax
        inc si
        call expression
        pop cx
        pop bx
        cmp cl,'='
        je .equal
        cmp cl,'<'
        je .less
        cmp cl,'>'
        jne syntax
        cmp bx,ax
        jg .then
        ret
.less:  cmp bx,ax
        jl .then
        ret
.equal: cmp bx,ax
        je .then
        ret
.then:  call skip
        add si,4                ; THEN
goto:   call expression
        mov bx,program
.find:  cmp word [bx],0
        je noLine
        cmp [bx],ax
        je .found
        add bx,64
        jmp .find
.found: mov sp,0fffeh
        jmp line
gosub:  mov bx,[depth]
        cmp bx,32
        je tooDeep
        mov ax,[current]
        mov [callers+bx],ax
        add word [depth],2
        jmp goto
return: mov bx,[depth]
        or bx,bx
        jz tooDeep
        sub bx,2
        mov [depth],bx
        mov ax,[callers+bx]
        mov [current],ax
        mov sp,0fffeh
        jmp next

variable: call skip
        mov ah,al
        call upper
        sub ah,'A'
        cmp ah,26
        jae syntax
        inc si
        mov al,ah
        cbw
        mov di,ax
        add di,di
        add di,variables
        ret
expression: call term
.more:  push ax
        call skip
        mov cl,al
        pop ax
        cmp cl,'+'
        je .plus
        cmp cl,'-'
        jne done
        inc si
        push ax
        call term
        pop bx
        xchg ax,bx
        sub ax,bx
        jmp .more
.plus:  inc si
        push ax
        call term
        pop bx
        add ax,bx
        jmp .more
term:   call factor
.more:  push ax
        call skip
        mov cl,al
        pop ax
        cmp cl,'*'
        je .times
        cmp cl,'/'
        jne done
        inc si
        push ax
        call factor
        mov bx,ax
        pop ax
        or bx,bx
        jz byZero
        cwd
        idiv bx
        jmp .more
.times: inc si
        push ax
        call factor
        pop bx
        imul bx
        jmp .more
factor: call skip
        cmp al,'('
        je .inside
        cmp al,'-'
        je .minus
        call isDigit
        jnc number
        call variable
        mov ax,[di]
        ret
.inside: inc si
        call expression
        push ax
        call skip
        cmp al,')'
        jne syntax
        inc si
        pop ax
        ret
.minus: inc si
        call factor
        neg ax
        ret
number: xor bx,bx
.next:  mov al,[si]
        call isDigit
        jc .done
        inc si
        sub al,'0'
        cbw
        imul bx,bx,10
        add bx,ax
        jmp .next
.done:  mov ax,bx
        ret
done:   ret
isDigit: cmp al,'0'
        jb .not
        cmp al,'9'+1
        cmc
        ret
.not:   stc
        ret
skip:   mov al,[si]
        cmp al,' '
        jne done
        inc si
        jmp skip
upper:  cmp ah,'a'
        jb done
        cmp ah,'z'
        ja done
        sub ah,32
        ret

; Stores line AX with the text at SI; without a text the line is deleted.
keep:   push si
        mov bx,program
.find:  cmp word [bx],0
        je .room
        cmp [bx],ax
        jae .here
        add bx,64
        jmp .find
.here:  jne .room
        mov di,bx               ; away with what was there
        lea si,[bx+64]
        mov cx,program+most*64
        sub cx,bx
        rep movsb
.room:  pop si
        push ax
        call skip
        cmp al,13
        pop ax
        je done
        push si
        mov di,program+most*64+63
        lea si,[di-64]
        mov cx,si
        sub cx,bx
        inc cx
        std
        rep movsb
        cld
        pop si
        mov [bx],ax
        lea di,[bx+2]
        mov cx,61
        rep movsb
        mov byte [bx+63],13
        ret

read:   mov dx,buffer
        mov ah,0ah
        int 21h
newline: mov dl,13
        call letter
        mov dl,10
letter: mov ah,2
        int 21h
        ret
say:    mov ah,9
        int 21h
        ret
decimal: or ax,ax
        jns .positive
        push ax
        mov dl,'-'
        call letter
        pop ax
        neg ax
.positive: xor dx,dx
        mov cx,10
        div cx
        or ax,ax
        jz .last
        push dx
        call .positive
        pop dx
.last:  add dl,'0'
        jmp letter
syntax: mov dx,wrong
        jmp error
noLine: mov dx,missing
        jmp error
tooDeep: mov dx,deep
        jmp error
byZero: mov dx,zero
error:  call say
        mov bx,[current]
        or bx,bx
        jz .over
        mov dx,where
        call say
        mov ax,[bx]
        call decimal
.over:  call newline
        jmp ready

words   db 'PRINT',0
        dw print
        db 'LET',0
        dw let
        db 'INPUT',0
        dw input
        db 'IF',0
        dw if
        db 'GOTO',0
        dw goto
        db 'GOSUB',0
        dw gosub
        db 'RETURN',0
        dw return
        db 'END',0
        dw end
        db 'LIST',0
        dw list
        db 'RUN',0
        dw run
        db 'NEW',0
        dw new
        db 'BYE',0
        dw bye
        db 0
hello   db 'A small BASIC',13,10,'$'
prompt  db 'Ok',13,10,'$'
wrong   db 'Syntax error$'
missing db 'No such line$'
deep    db 'GOSUB and RETURN do not match$'
zero    db 'Division by zero$'
where   db ' in $'
buffer  db 60,0
        times 62 db 13
depth   dw 0
current dw 0
program dw 0
section .bss
        resb most*64+128
variables resw 26
callers resw 20
