; Code generated at run time: interrupts called by code on the stack (int86), a routine that is decrypted,
; a loop that changes its own number, and a routine whose instructions are counted by single steps.
        xor word [secretText],5a5ah
        mov word [number],12h   ; how much memory? INT 12h
        call int86
        movzx eax,word [registers]
        call decimal
        mov word [registers],0200h ; a letter by INT 21h, another by INT 10h
        mov word [registers+6],'*'
        mov word [number],21h
        call int86
        mov word [registers],0e2bh
        mov word [registers+2],7
        mov word [number],10h
        call int86
        call newline

        mov si,secret           ; decrypted once, run, and hidden again
        call crypt
        call secret
        mov si,secret
        call crypt
        cmp byte [secret],0b4h
        je wrong

        xor eax,eax             ; 1 + 2 + ... + 1000
        mov cx,1000
sum:    db 66h, 05h             ; add eax,number
added:  dd 1
        inc word [added]
        loop sum
        call decimal

        mov ax,3501h            ; INT 1 counts what runs between the two changes of the trap flag
        int 21h
        push es
        push bx
        push cs
        pop es
        mov ax,2501h
        mov dx,trap
        int 21h
        pushf
        pop ax
        or ah,1
        push ax
        popf
        mov cx,10               ; the first that is counted
steps:  nop
        loop steps
        pushf
        pop ax
        and ah,0feh
        push ax
        popf
        pop dx
        pop ds
        mov ax,2501h
        int 21h
        push cs
        pop ds
        movzx eax,word [counted]
        call decimal
        mov ax,4c00h
        int 21h
wrong:  mov ax,4c01h
        int 21h

; INT number with AX, BX, CX, DX from the registers: the instructions are on the stack.
int86:  push bp
        mov bp,sp
        sub sp,4
        mov byte [bp-4],0cdh
        mov al,[number]
        mov [bp-3],al
        mov byte [bp-2],0cbh    ; retf
        lea ax,[bp-4]
        mov [entry],ax
        mov [entry+2],ss
        mov ax,[registers]
        mov bx,[registers+2]
        mov cx,[registers+4]
        mov dx,[registers+6]
        call far [entry]
        mov [registers],ax
        mov sp,bp
        pop bp
        ret
crypt:  mov cx,secretEnd-secret
.next:  xor byte [si],5ah
        inc si
        loop .next
        ret
trap:   inc word [cs:counted]
        iret
decimal: mov ebx,10
        call digits
newline: mov dl,13
        call letter
        mov dl,10
letter: mov ah,2
        int 21h
        ret
digits: xor edx,edx
        div ebx
        or eax,eax
        jz .last
        push dx
        call digits
        pop dx
.last:  add dl,'0'
        jmp letter
; mov ah,9 / mov dx,hidden / int 21h / ret, each byte XOR 5Ah
secret  db 0b4h ^ 5ah, 9 ^ 5ah, 0bah ^ 5ah
secretText dw hidden            ; XOR 5A5Ah from the start on
        db 0cdh ^ 5ah, 21h ^ 5ah, 0c3h ^ 5ah
secretEnd:
hidden  db 'decrypted',13,10,'$'
counted dw 0
section .bss
number  resw 1
registers resw 4
entry   resw 2
