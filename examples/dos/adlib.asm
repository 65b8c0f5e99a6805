; An AdLib tune: detects the card by its timers and plays three notes of a pure tone from the clock's interrupt, INT 1Ch.
ticks   equ 8                   ; for each note
        mov ax,6004h            ; both timers stopped and cleared
        call write
        mov ax,8004h
        call write
        mov dx,388h
        in al,dx
        test al,0e0h
        jnz without
        mov ax,0ff02h           ; the first runs over at once
        call write
        mov ax,2104h
        call write
        mov cx,400
.wait:  in al,dx
        loop .wait
        and al,0e0h
        cmp al,0c0h
        jne without
        mov ax,6004h
        call write
        mov ax,8004h
        call write
        mov si,instrument
.next:  lodsw
        call write
        cmp si,instrumentEnd
        jb .next
        mov ax,351ch
        int 21h
        mov [old],bx
        mov [old+2],es
        mov ax,251ch
        mov dx,tick
        int 21h
        mov dx,playing
        mov ah,9
        int 21h
.tune:  hlt
        cmp byte [over],0
        je .tune
        lds dx,[old]
        mov ax,251ch
        int 21h
        mov ax,4c00h
        int 21h
without: mov dx,none
        mov ah,9
        int 21h
        mov ax,4c01h
        int 21h
write:  push dx                 ; register AL, value AH, with the pauses that the chip needs
        push cx
        mov dx,388h
        out dx,al
        mov cx,6
.short: in al,dx
        loop .short
        inc dx
        mov al,ah
        out dx,al
        dec dx
        mov cx,35
.long:  in al,dx
        loop .long
        pop cx
        pop dx
        ret
tick:   push ax
        push si
        push ds
        push cs
        pop ds
        dec byte [left]
        jnz .same
        mov byte [left],ticks
        mov ax,00b0h            ; key off
        call write
        mov si,[note]
        mov ah,[si]
        or ah,ah
        jz .end
        mov al,0a0h
        call write
        mov ah,[si+1]
        mov al,0b0h
        call write
        add word [note],2
        jmp .same
.end:   mov byte [over],1
        mov byte [left],255
.same:  pop ds
        pop si
        pop ax
        iret
; The carrier alone: no feedback, both operators heard, the modulator silent.
instrument db 20h, 21h, 23h, 21h, 40h, 3fh, 43h, 0, 60h, 0f0h, 63h, 0f0h, 80h, 0ffh, 83h, 0fh, 0c0h, 1
instrumentEnd:
notes   db 44h, 32h             ; 440 Hz: key on, octave 4, 244h
        db 0b2h, 32h            ; 523 Hz
        db 65h, 33h             ; 659 Hz
        db 0
playing db 'playing',13,10,'$'
none    db 'There is no AdLib card.$'
note    dw notes
left    db 1
over    db 0
section .bss
old     resw 2
