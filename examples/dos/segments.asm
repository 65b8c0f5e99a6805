; An EXE of four segments with relocations, as linkers write it: far calls, data and a stack of their own.
; The packer's material: most of it is a table that repeats itself.
        org 0
header: dw 5a4dh                ; "MZ"
        dw (fileEnd-header) & 511, (fileEnd-header+511)/512
        dw 4                    ; relocations
        dw (image-header)/16
        dw 20h, 0ffffh          ; paragraphs after the file: the stack
        dw (fileEnd-image+15)/16, 200h
        dw 0
        dw start-main, (main-image)/16
        dw relocations-header, 0
relocations:
        dw dataSegment-main, (main-image)/16
        dw farCall-main, (main-image)/16
        dw secondCall-main, (main-image)/16
        dw pointer-data+2, (data-image)/16
        align 16, db 0
image:
library:                        ; writes the text at DS:DX
        mov ah,9
        int 21h
        retf
sum:    mov cx,[bx]             ; adds the words of the table at BX
        xor ax,ax
.next:  add bx,2
        add ax,[bx]
        loop .next
        retf
        align 16, db 0
main:
start:  db 0b8h                 ; mov ax,data
dataSegment: dw (data-image)/16
        push ds
        mov ds,ax
        pop es
        cmp word [es:0],20cdh   ; the prefix came in ES and DS
        jne wrong
        mov dx,hello-data
        db 9ah                  ; call library
        dw library-image
farCall: dw (library-image)/16
        mov bx,table-data
        db 9ah                  ; call sum
        dw sum-library
secondCall: dw (library-image)/16
        cmp ax,[expected-data]
        jne wrong
        lds dx,[pointer-data]   ; a far pointer in the data
        mov ah,9
        int 21h
        mov ax,4c2ah
        int 21h
wrong:  mov ax,4c01h
        int 21h
        align 16, db 0
data:
hello   db 'four segments',13,10,'$'
right   db 'the table is right',13,10,'$'
pointer dw right-data, (data-image)/16
expected dw (1000*1111h+500*202h) & 0ffffh
table   dw 1500
        times 1000 dw 1111h
        times 500 dw 202h
        align 16, db 0
fileEnd:
