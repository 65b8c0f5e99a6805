// aarch64 -M virt -kernel: the first processor starts up to seven others and prints READY. Each counts in a place of its
// own, 64 bytes apart, in the same code.
        .globl  _start
_start: ldr     x20, =0x40180000        // counters
        mov     x21, #1
wake:   ldr     x0, =0xc4000003         // PSCI: CPU_ON
        mov     x1, x21
        adr     x2, secondary
        mov     x3, x21
        hvc     #0
        add     x21, x21, #1
        cmp     x21, #8
        b.ne    wake
        ldr     x19, =0x09000000        // PL011 UART
        adr     x0, message
print:  ldrb    w1, [x0], #1
        cbz     w1, first
        strb    w1, [x19]
        b       print
first:  mov     x0, #0
secondary:
        ldr     x22, =0x40180000
        add     x22, x22, x0, lsl #6
        ldr     x1, =0x40200000
        add     x1, x1, x0, lsl #12
        mov     sp, x1
loop:   bl      tick
after_tick:
        b       loop
tick:   ldr     x1, [x22]
        add     x1, x1, #1
count_store:
        str     x1, [x22]
counted:
        ret
message:
        .asciz  "READY\r\n"
        .balign 8
        .ltorg
