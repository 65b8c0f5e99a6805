; Sound from the PC speaker alone: the timer interrupts at 16 kHz, and counter 2 makes a pulse as long as each sample.
; A sine of 400 Hz until a key is pressed.
divisor equ 75
        mov ax,3508h
        int 21h
        mov [old],bx
        mov [old+2],es
        mov ax,2508h
        mov dx,sample
        int 21h
        mov al,90h              ; counter 2: one pulse, its length in one byte
        out 43h,al
        in al,61h
        or al,3
        out 61h,al
        mov al,34h
        out 43h,al
        mov al,divisor
        out 40h,al
        xor al,al
        out 40h,al
        mov dx,playing
        mov ah,9
        int 21h
        mov ah,0
        int 16h
        mov al,36h
        out 43h,al
        xor al,al
        out 40h,al
        out 40h,al
        in al,61h
        and al,0fch
        out 61h,al
        lds dx,[old]
        mov ax,2508h
        int 21h
        mov ax,4c00h
        int 21h
sample: push ax
        push bx
        mov bx,[cs:place]
        mov al,[cs:wave+bx]
        out 42h,al
        inc bx
        cmp bx,40
        jb .inside
        xor bx,bx
.inside: mov [cs:place],bx
        mov al,20h
        out 20h,al
        pop bx
        pop ax
        iret
place   dw 0
playing db 'playing$'
wave    db 36, 41, 46, 51, 56, 60, 63, 66, 68, 69, 69, 69, 68, 66, 63, 60, 56, 51, 46, 41
        db 36, 30, 25, 20, 15, 11, 8, 5, 3, 2, 2, 2, 3, 5, 8, 11, 15, 20, 25, 30
section .bss
old     resw 2
