; A DOS program shows a, b or c in the upper left corner and waits for that key.
; Hits at 0:4F0, misses at 0:4F2, where programs may leave notes to each other.
        org 100h
        mov ax, 3
        int 10h
        xor ax, ax
        mov es, ax
        mov word [es:4f0h], 0
        mov word [es:4f2h], 0
        mov bl, 5
next:   mov al, bl
        mov cl, 5
        mul cl
        add al, 3
        mov bl, al
        mov ah, 0
        mov cl, 3
        div cl
        add ah, 'a'
        mov bh, ah
        push es
        mov ax, 0b800h
        mov es, ax
        mov [es:0], bh
        pop es
        mov ah, 0
        int 16h
        cmp al, bh
        jne wrong
        inc word [es:4f0h]
        jmp next
wrong:  inc word [es:4f2h]
        jmp next
