; The Mandelbrot set with the coprocessor: 80 by 60 points in mode 13h, at most 40 iterations each, in double precision.
        mov ax,13h
        int 10h
        fninit
        fldcw [control]
        mov ax,0a000h
        mov es,ax
        mov word [row],0
rows:   mov word [column],0
        imul di,[row],320
        fild word [row]         ; ci = row * step + top
        fmul qword [step]
        fadd qword [top]
        fstp qword [ci]
columns: fild word [column]
        fmul qword [step]
        fadd qword [left]
        fstp qword [cr]
        fldz                    ; zr, then zi on top
        fldz
        xor cx,cx
turn:   fld st1                 ; zr*zr
        fmul st0,st0
        fld st1                 ; zi*zi
        fmul st0,st0
        fld st1
        fadd st0,st1
        fcomp qword [four]
        fnstsw ax
        sahf
        ja out
        fsubp st1,st0           ; zr*zr - zi*zi + cr
        fadd qword [cr]
        fxch st2                ; the old zr below goes into 2*zr*zi + ci
        fmulp st1,st0
        fadd st0,st0
        fadd qword [ci]
        inc cx
        cmp cx,40
        jb turn
        jmp plot
out:    fstp st0
        fstp st0
plot:   fstp st0
        fstp st0
        mov al,cl
        stosb
        inc word [column]
        cmp word [column],80
        jb columns
        inc word [row]
        cmp word [row],60
        jb rows
        fnstsw ax               ; nothing is left on its stack, and nothing went wrong
        and ax,385dh
        mov [state],ax
        mov ah,0
        int 16h
        mov ax,3
        int 10h
        mov al,[state]
        or al,[state+1]
        mov ah,4ch
        int 21h
control dw 027fh
step    dq 0.0375
left    dq -2.25
top     dq -1.125
four    dq 4.0
section .bss
row     resw 1
column  resw 1
state   resw 1
cr      resq 1
ci      resq 1
