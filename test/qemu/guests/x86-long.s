# x86 boot sector that goes on to 64-bit mode: the first two megabytes are mapped to themselves and to
# 0xffffffff80000000, where it runs. Prints READY on the first serial port, then calls nested functions and counts at
# 0xffffffff80008000.
        .code16
        .globl  _start
_start: ljmp    $0, $begin
begin:  cli
        xorw    %ax, %ax
        movw    %ax, %ds
        movw    %ax, %es
        movw    %ax, %ss
        movw    $0x7c00, %sp
        cld
        movw    $0x1000, %di
        movl    %edi, %cr3
        xorl    %eax, %eax
        movw    $0x1000, %cx
        rep stosl
        movl    $0x2003, 0x1000         # page tables: 4 levels, one page of two megabytes
        movl    $0x2003, 0x1ff8
        movl    $0x3003, 0x2000
        movl    $0x3003, 0x2ff0
        movl    $0x0083, 0x3000
        movl    $0xa0, %eax
        movl    %eax, %cr4
        movl    $0xc0000080, %ecx
        rdmsr
        orl     $0x100, %eax
        wrmsr
        movl    %cr0, %eax
        orl     $0x80000001, %eax
        movl    %eax, %cr0
        lgdt    descriptor
        ljmp    $8, $entry
        .balign 8
gdt:    .quad   0, 0x00209a0000000000, 0x0000920000000000
descriptor:
        .word   23
        .long   gdt
        .code64
entry:  movw    $16, %ax
        movw    %ax, %ds
        movw    %ax, %ss
        movq    $upper + 0xffffffff80000000, %rax
        jmp     *%rax
upper:  movq    $0xffffffff80007c00, %rsp
        xorl    %ebp, %ebp
        movq    $0xffffffff80008000, %rbx
        leaq    message(%rip), %rsi
print:  lodsb
        testb   %al, %al
        jz      outer
        movw    $0x3f8, %dx
        outb    %al, %dx
        jmp     print
outer:  call    level1
after_level1:
        incq    (%rbx)
after_count:
        jmp     outer
level1: pushq   %rbp
        movq    %rsp, %rbp
        call    level2
after_level2:
        popq    %rbp
        ret
level2: pushq   %rbp
        movq    %rsp, %rbp
body:   movq    8(%rbx), %rax
        addq    $3, %rax
scratch_store:
        movq    %rax, 8(%rbx)
after_scratch:
        popq    %rbp
        ret
message:
        .asciz  "READY\r\n"
        .org    510
        .word   0xaa55
