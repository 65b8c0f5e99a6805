# x86 boot sector, real mode: prints READY on the screen and on the first serial port, then calls nested functions,
# counts at 0x8000 and echoes what comes in on the serial port to both.
        .code16
        .globl  _start
_start: ljmp    $0, $begin
begin:  xorw    %ax, %ax
        movw    %ax, %ds
        movw    %ax, %es
        movw    %ax, %ss
        movw    $0x7c00, %sp
        movw    %ax, %bp
        movw    $message, %si
print:  lodsb
        testb   %al, %al
        jz      outer
        call    put
        jmp     print
put:    pushw   %ax
        movb    $0x0e, %ah
        movw    $7, %bx
        pushw   %bp
        int     $0x10
        popw    %bp
        popw    %ax
        movw    $0x3f8, %dx
        outb    %al, %dx
        ret
outer:  call    level1
after_level1:
        incl    0x8000
after_count:
        movw    $0x3fd, %dx
        inb     %dx, %al
        testb   $1, %al
        jz      outer
        movw    $0x3f8, %dx
        inb     %dx, %al
        call    put
        jmp     outer
level1: pushw   %bp
        movw    %sp, %bp
        call    level2
after_level2:
        popw    %bp
        ret
level2: pushw   %bp
        movw    %sp, %bp
body:   movl    0x8008, %eax
        addl    $3, %eax
scratch_store:
        movl    %eax, 0x8008
after_scratch:
        popw    %bp
        ret
message:
        .asciz  "READY\r\n"
        .org    510
        .word   0xaa55
