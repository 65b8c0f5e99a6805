# x86 boot sector: the first processor goes on to 64-bit mode, starts all others and prints READY. The others stay in
# real mode. Each counts in a place of its own from 0x9000 on, 64 bytes apart; the others in the same code.
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
        movl    $0x2003, 0x1000         # page tables: the first two megabytes, and those with the local APIC
        movl    $0x3003, 0x2000
        movl    $0x0083, 0x3000
        movl    $0x4003, 0x2018
        movl    $0xfee00083, 0x4fb8
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
other:  xorw    %ax, %ax
        movw    %ax, %ds
        movw    %ax, %ss
        movl    $1, %eax
        cpuid
        shrl    $24, %ebx               # its number
        movw    %bx, %ax
        movw    %bx, %si
        shlw    $6, %si
        addw    $0x9000, %si
        movw    %ax, %sp
        shlw    $8, %sp
        addw    $0x6000, %sp
loop:   call    tick
after_tick:
        jmp     loop
tick:   movw    (%si), %ax
        incw    %ax
count_store:
        movw    %ax, (%si)
counted:
        ret
        .balign 8
gdt:    .quad   0, 0x00209a0000000000, 0x0000920000000000
descriptor:
        .word   23
        .long   gdt
        .code64
entry:  movw    $16, %ax
        movw    %ax, %ds
        movw    %ax, %ss
        movb    $0xea, 0x8000           # where they begin: a far jump
        movw    $other, 0x8001
        movw    $0, 0x8003
        movl    $0xfee00300, %ebx       # commands between processors
        movl    $0x000c4500, (%rbx)     # reset all others
        movl    $0x000c4608, (%rbx)     # and start them at 0x8000
        movl    $0x9000, %ebx
        movl    $message, %esi
print:  lodsb
        testb   %al, %al
        jz      first_loop
        movw    $0x3f8, %dx
        outb    %al, %dx
        jmp     print
first_loop:
        call    first_tick
after_first_tick:
        jmp     first_loop
first_tick:
        incq    (%rbx)
first_counted:
        ret
message:
        .asciz  "READY\r\n"
        .org    510
        .word   0xaa55
