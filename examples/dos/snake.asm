; A game on the CGA: mode 4, lines in two banks, its palettes, turns by the BIOS clock, keys by INT 16h.
; The arrow keys turn the snake, which must not leave the field or bite itself.
        mov ax,4
        int 10h
        mov ah,0bh              ; background blue, the other colours bright green, red, yellow
        mov bx,11h
        int 10h
        mov ah,0bh
        mov bx,100h
        int 10h
        mov ax,0b800h
        mov es,ax
        mov cx,40               ; the border of the field
.across: mov bx,cx
        dec bx
        mov dx,0
        mov al,3
        call cell
        mov dx,24
        mov al,3
        call cell
        loop .across
        mov cx,25
.down:  mov dx,cx
        dec dx
        mov bx,0
        mov al,3
        call cell
        mov bx,39
        mov al,3
        call cell
        loop .down
        mov bx,25               ; food
        mov dx,12
        mov al,2
        call cell
turn:   mov ah,0                ; wait for the clock
        int 1ah
        cmp dx,[ticks]
        je turn
        mov [ticks],dx
        mov ah,1
        int 16h
        jz .go
        mov ah,0
        int 16h
        mov bx,turns
.find:  cmp ah,[bx]
        je .turned
        add bx,3
        cmp byte [bx],0
        jne .find
        jmp .go
.turned: mov ax,[bx+1]
        mov [step],ax
.go:    mov bx,[head]
        mov dx,[head+2]
        mov ax,[step]
        add bl,al
        add dl,ah
        mov [head],bx
        mov [head+2],dx
        call look
        cmp al,1                ; itself
        je over
        cmp al,3                ; the border
        je over
        mov si,[newest]
        add si,4
        and si,1023
        mov [newest],si
        mov [body+si],bx
        mov [body+si+2],dx
        push ax
        mov al,1
        call cell
        pop ax
        cmp al,2
        jne .move
        inc byte [score]        ; longer by three, and the next food
        add word [grow],3
        mov bx,[food]
        mov dx,[bx+2]
        mov ax,[bx]
        mov bx,ax
        add word [food],4
        mov al,2
        call cell
        jmp turn
.move:  cmp word [grow],0
        je .tail
        dec word [grow]
        jmp turn
.tail:  mov si,[oldest]
        add si,4
        and si,1023
        mov [oldest],si
        mov bx,[body+si]
        mov dx,[body+si+2]
        mov al,0
        call cell
        jmp turn
over:   mov ah,2                ; letters in graphics
        mov bh,0
        mov dx,0b10h
        int 10h
        mov si,lost
.next:  lodsb
        or al,al
        jz .wait
        mov ah,0eh
        mov bl,3
        int 10h
        jmp .next
.wait:  mov ah,0
        int 16h
        mov ax,3
        int 10h
        mov ah,9
        mov dx,points
        int 21h
        mov al,[score]
        mov ah,4ch
        int 21h

place:  imul di,dx,320          ; column BX, row DX: eight lines, four in each bank
        add di,bx
        add di,bx
        ret
look:   call place              ; what is there: the colour in the middle of the cell
        mov al,[es:di+161]
        shr al,6
        ret
cell:   push ax                 ; seven of eight pixels in colour AL
        push cx
        call place
        mov ah,55h
        mul ah
        mov ah,al
        and ah,0fch
        mov cx,4
.lines: mov [es:di],ax
        cmp cx,1
        je .even                ; the last line stays free
        mov [es:di+2000h],ax
.even:  add di,80
        loop .lines
        pop cx
        pop ax
        ret
turns   db 48h, 0, -1, 50h, 0, 1, 4bh, -1, 0, 4dh, 1, 0, 0
lost    db 'GAME OVER',0
points  db 'score '
score   db '0',13,10,'$'
head    dw 20, 12
step    db 1, 0
grow    dw 3
newest  dw 0
oldest  dw 0
ticks   dw 0
food    dw foods
foods   dw 25, 18, 10, 18, 10, 5, 30, 5, 30, 20, 5, 20, 20, 12, 35, 12, 1, 1
section .bss
body    resw 512
