# x86 boot sector, real mode: prints READY on the screen and the first serial port, then each byte that the keyboard
# controller delivers: K and two hex digits for the keyboard, M and two for the PS/2 mouse, which it switches on.
        .code16
        .globl  _start
_start: ljmp    $0, $begin
begin:  cli
        xorw    %ax, %ax
        movw    %ax, %ds
        movw    %ax, %es
        movw    %ax, %ss
        movw    $0x7c00, %sp
        movb    $0xa8, %al
        call    command
        movb    $0xd4, %al
        call    command
        call    ready
        movb    $0xf4, %al
        outb    %al, $0x60
        movw    $message, %si
print:  lodsb
        testb   %al, %al
        jz      loop
        call    put
        jmp     print
loop:   inb     $0x64, %al
        testb   $1, %al
        jz      loop
        movb    %al, %ah
        inb     $0x60, %al
        movb    %al, %cl
        movb    $'K', %al
        testb   $0x20, %ah
        jz      1f
        movb    $'M', %al
1:      call    put
        movb    %cl, %al
        shrb    $4, %al
        call    digit
        movb    %cl, %al
        call    digit
        movb    $' ', %al
        call    put
        jmp     loop
digit:  andb    $15, %al
        addb    $'0', %al
        cmpb    $'9', %al
        jbe     put
        addb    $'a'-'0'-10, %al
put:    pushw   %ax
        pushw   %cx
        movb    $0x0e, %ah
        movw    $7, %bx
        pushw   %bp
        int     $0x10
        popw    %bp
        popw    %cx
        popw    %ax
        cli
        movw    $0x3f8, %dx
        outb    %al, %dx
        ret
command:
        pushw   %ax
        call    ready
        popw    %ax
        outb    %al, $0x64
        ret
ready:  inb     $0x64, %al
        testb   $2, %al
        jnz     ready
        ret
message:
        .asciz  "READY\r\n"
        .org    510
        .word   0xaa55
