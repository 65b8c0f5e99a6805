# x86 boot sector, real mode: asks QEMU's vmmouse for places and prints what it tells on the screen and the first serial
# port: P, two hex digits for the buttons, four for the column and four for the line, both from 0 to fffe.
        .code16
        .globl  _start
_start: ljmp    $0, $begin
begin:  cli
        xorw    %ax, %ax
        movw    %ax, %ds
        movw    %ax, %es
        movw    %ax, %ss
        movw    $0x7c00, %sp
        movl    $0x45414552, %ebx
        movl    $41, %ecx
        call    vmport
        movl    $1, %ebx
        movl    $39, %ecx
        call    vmport
        movl    $0x53424152, %ebx
        movl    $41, %ecx
        call    vmport
        movw    $message, %si
print:  lodsb
        testb   %al, %al
        jz      loop
        call    put
        jmp     print
loop:   movl    $40, %ecx
        call    vmport
        cmpw    $4, %ax
        jb      loop
        movl    $4, %ebx
        movl    $39, %ecx
        call    vmport
        movw    %bx, %si
        movw    %cx, %di
        movw    %ax, %cx
        movb    $'P', %al
        call    put
        call    byte
        movw    %si, %cx
        call    word
        movw    %di, %cx
        call    word
        movb    $' ', %al
        call    put
        jmp     loop
vmport: movl    $0x564d5868, %eax
        movw    $0x5658, %dx
        inl     %dx, %eax
        ret
word:   xchgb   %cl, %ch
        call    byte
        movb    %ch, %cl
byte:   movb    %cl, %al
        shrb    $4, %al
        call    digit
        movb    %cl, %al
digit:  andb    $15, %al
        addb    $'0', %al
        cmpb    $'9', %al
        jbe     put
        addb    $'a'-'0'-10, %al
put:    pushal
        movb    $0x0e, %ah
        movw    $7, %bx
        int     $0x10
        popal
        cli
        movw    $0x3f8, %dx
        outb    %al, %dx
        ret
message:
        .asciz  "READY\r\n"
        .org    510
        .word   0xaa55
