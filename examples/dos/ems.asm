; Expanded memory: a sieve of 100,000 bytes in seven pages that are mapped into the frame in turn.
limit   equ 100000
        mov ax,3567h            ; the driver's name is in its segment
        int 21h
        mov di,10
        mov si,driver
        mov cx,8
        repe cmpsb
        jne without
        mov ah,40h
        int 67h
        or ah,ah
        jnz without
        mov ah,41h
        int 67h
        mov es,bx               ; the frame
        mov ah,42h
        int 67h
        mov [before],bx
        mov bx,7
        mov ah,43h
        int 67h
        or ah,ah
        jnz without
        mov [handle],dx
        xor bx,bx
clear:  call map
        xor di,di
        xor ax,ax
        mov cx,8192
        rep stosw
        inc bx
        cmp bx,7
        jb clear
        mov esi,2
sieve:  mov eax,esi
        call flag
        cmp byte [es:di],0
        jne .not
        inc word [primes]
        mov [last],esi
        mov ebp,esi             ; strike out its multiples
.next:  add ebp,esi
        cmp ebp,limit
        jae .not
        mov eax,ebp
        call flag
        mov byte [es:di],1
        jmp .next
.not:   inc esi
        cmp esi,limit
        jb sieve
        movzx eax,word [primes]
        call decimal
        mov dx,text
        mov ah,9
        int 21h
        mov eax,[last]
        call decimal
        mov dx,[handle]
        mov ah,45h
        int 67h
        mov ah,42h              ; all pages are back
        int 67h
        sub bx,[before]
        mov al,bl
        mov ah,4ch
        int 21h
without: mov dx,none
        mov ah,9
        int 21h
        mov ax,4c01h
        int 21h

; ES:DI is the byte of the number EAX; the page is mapped where it is not.
flag:   mov di,ax
        and di,3fffh
        shr eax,14
        mov bx,ax
        cmp bx,[current]
        je map.done
map:    mov [current],bx        ; page BX
        push dx
        mov dx,[handle]
        mov ax,4400h
        int 67h
        pop dx
.done:  ret
decimal: mov ecx,10
.split: xor edx,edx
        div ecx
        or eax,eax
        jz .last
        push dx
        call .split
        pop dx
.last:  add dl,'0'
        mov ah,2
        int 21h
        ret
driver  db 'EMMXXXX0'
text    db ' primes, the last is $'
none    db 'There is no expanded memory.$'
primes  dw 0
last    dd 0
current dw -1
section .bss
handle  resw 1
before  resw 1
