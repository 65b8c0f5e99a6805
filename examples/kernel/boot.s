# A small kernel for x86-64, started by QEMU through PVH: maps the first gigabyte to itself without page 0 and without
# the page below its stack, then calls kernel_main in 64-bit mode.
        .section .note.Xen, "a", @note
        .long   4, 4, 18
        .asciz  "Xen"
        .long   start32

        .text
        .code32
        .globl  start32
start32:
        cld
        movl    %ebx, %ebp
        movl    $pml4, %edi
        xorl    %eax, %eax
        movl    $0x1000, %ecx
        rep stosl
        movl    $pdpt + 7, pml4
        movl    $pd + 7, pdpt
        movl    $pt + 7, pd             # the first two megabytes are small pages
        movl    $0x200083, %eax
        movl    $1, %ecx
large:  movl    %eax, pd(, %ecx, 8)
        addl    $0x200000, %eax
        incl    %ecx
        cmpl    $512, %ecx
        jb      large
        orl     $4, pd + 16             # 4 to 8 MiB are for programs
        orl     $4, pd + 24
        movl    $0x1003, %eax
        movl    $1, %ecx
small:  movl    %eax, pt(, %ecx, 8)
        addl    $0x1000, %eax
        incl    %ecx
        cmpl    $512, %ecx
        jb      small
        movl    $0, pt + 8 * 0x8f  # guards the stack, which is 0x90000 to 0x94000
        movl    $pml4, %eax
        movl    %eax, %cr3
        movl    $0x620, %eax
        movl    %eax, %cr4
        movl    $0xc0000080, %ecx
        rdmsr
        orl     $0x900, %eax
        wrmsr
        movl    $0x80010001, %eax
        movl    %eax, %cr0
        lgdt    gdt_pointer
        ljmp    $8, $start64
        .code64
start64:
        movw    $16, %ax
        movw    %ax, %ds
        movw    %ax, %es
        movw    %ax, %ss
        movl    $0x94000, %esp
        movl    $tss, %eax
        movw    %ax, gdt_tss + 2
        shrl    $16, %eax
        movb    %al, gdt_tss + 4
        movb    %ah, gdt_tss + 7
        movw    $40, %ax
        ltr     %ax
        movl    24(%rbp), %edi          # the command line
        xorl    %ebp, %ebp
        call    kernel_main
halt:   hlt
        jmp     halt

# rdi: where, rsi: stack
        .globl  enter_user
enter_user:
        pushq   $0x23
        pushq   %rsi
        pushq   $2
        pushq   $0x1b
        pushq   %rdi
        iretq

        .data
        .balign 8
gdt:    .quad   0, 0x00209a0000000000, 0x0000920000000000, 0x0020fa0000000000, 0x0000f20000000000
gdt_tss:
        .quad   0x0000890000000067, 0
gdt_pointer:
        .word   . - gdt - 1
        .long   gdt
        .balign 16
tss:    .long   0
        .quad   0x94000                 # the stack to come from programs to
        .fill   92

        .bss
        .balign 4096
pml4:   .fill   4096
pdpt:   .fill   4096
pd:     .fill   4096
pt:     .fill   4096
        .section .note.GNU-stack, "", @progbits
