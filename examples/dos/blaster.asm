; Sound Blaster: finds the card by BLASTER=, plays endlessly by DMA, and refills the half just played at each interrupt.
; A tone of 500 Hz, after eight halves one of 1,000 Hz. A key ends it.
half    equ 1000                ; samples: a tenth of a second at 10,000 Hz
        mov es,[2ch]            ; A, I and D of the variable
        xor di,di
.search: cmp byte [es:di],0
        je without
        mov si,variable
        mov cx,8
        push di
        repe cmpsb
        je .found
        pop di
        xor al,al
        mov cx,-1
        repne scasb
        jmp .search
.found: pop ax
        push es
        pop fs
        mov si,di
.part:  mov al,[fs:si]
        inc si
        or al,al
        jz .known
        cmp al,'A'
        je .port
        cmp al,'I'
        je .irq
        cmp al,'D'
        jne .part
        mov al,[fs:si]
        sub al,'0'
        mov [dma],al
        jmp .part
.irq:   mov al,[fs:si]
        sub al,'0'
        mov [irq],al
        jmp .part
.port:  mov al,[fs:si+1]        ; 2x0h
        sub al,'0'
        mov ah,0
        shl ax,4
        add ax,200h
        mov [base],ax
        jmp .part
.known: push cs
        pop es
        mov dx,[base]           ; reset, and the DSP says AAh
        add dl,6
        mov al,1
        out dx,al
        mov cx,100
.wait:  in al,dx
        loop .wait
        xor al,al
        out dx,al
        add dl,8
        mov cx,1000
.ready: in al,dx
        test al,80h
        jnz .answer
        loop .ready
        jmp without
.answer: sub dl,4
        in al,dx
        cmp al,0aah
        jne without
        mov ax,cs               ; a buffer that crosses no 64 KiB
        add ax,1000h
        and ax,0f000h
        mov [buffer],ax
        mov byte [which],0
        call fill
        call fill
        mov al,[irq]
        add al,8
        mov [vector],al
        mov ah,35h
        int 21h
        mov [old],bx
        mov [old+2],es
        push cs
        pop es
        mov al,[vector]
        mov ah,25h
        mov dx,played
        int 21h
        mov cl,[irq]
        mov ah,1
        shl ah,cl
        mov [mask],ah
        not ah
        in al,21h
        and al,ah
        out 21h,al
        mov al,[dma]            ; the DMA controller: channel off, again and again, the place, on
        or al,4
        out 0ah,al
        xor al,al
        out 0ch,al
        mov al,[dma]
        or al,58h
        out 0bh,al
        mov dl,[dma]
        mov dh,0
        add dl,dl
        xor al,al
        out dx,al
        out dx,al
        inc dx
        mov ax,2*half-1
        out dx,al
        mov al,ah
        out dx,al
        mov bx,pages
        mov al,[dma]
        xlatb
        mov dl,al
        mov dh,0
        mov ax,[buffer]
        shr ax,12
        out dx,al
        mov al,[dma]
        out 0ah,al
        mov si,play
.send:  lodsb
        call dsp
        cmp si,playEnd
        jb .send
        mov dx,playing
        mov ah,9
        int 21h
        mov ah,0
        int 16h
        mov al,0d0h             ; stop
        call dsp
        in al,21h
        or al,[mask]
        out 21h,al
        mov al,[vector]
        mov ah,25h
        lds dx,[old]
        int 21h
        mov al,[cs:halves]
        mov ah,4ch
        int 21h
without: push cs
        pop ds
        mov dx,none
        mov ah,9
        int 21h
        mov ax,4c00h
        int 21h
dsp:    mov ah,al
        mov dx,[base]
        add dl,0ch
.busy:  in al,dx
        test al,80h
        jnz .busy
        mov al,ah
        out dx,al
        ret
; Fills the next half: 20 samples for a wave, 10 after the first eight.
fill:   push es
        mov es,[buffer]
        xor di,di
        xor byte [which],1
        jnz .first
        mov di,half
.first: mov bl,10
        inc byte [filled]
        cmp byte [filled],8
        jbe .low
        mov bl,5
.low:   mov cx,half
        mov al,0e0h
        mov ah,bl
.next:  stosb
        dec ah
        jnz .same
        mov ah,bl
        xor al,0c0h             ; E0h and 20h
.same:  loop .next
        pop es
        ret
played: pusha
        push ds
        push cs
        pop ds
        cld
        mov dx,[base]
        add dl,0eh
        in al,dx
        inc byte [halves]
        call fill
        mov al,20h
        out 20h,al
        pop ds
        popa
        iret
variable db 'BLASTER='
pages   db 87h, 83h, 81h, 82h
play    db 0d1h, 40h, 156, 48h  ; loudspeaker on, 10,000 Hz, the length of a half, go
        dw half-1
        db 1ch
playEnd:
playing db 'playing$'
none    db 'There is no Sound Blaster.$'
base    dw 0
irq     db 0
dma     db 0
vector  db 0
mask    db 0
which   db 0
filled  db 0
halves  db 0
section .bss
buffer  resw 1
old     resw 2
