// aarch64 -M virt -kernel: prints READY, then calls nested functions, counts and echoes what comes in on the UART.
        .globl  _start
        .type   level1, %function
        .type   level2, %function
_start: ldr     x0, =0x40200000
        mov     sp, x0
        mov     x29, #0
        mov     x30, #0
        ldr     x19, =0x09000000        // PL011 UART
        ldr     x20, =0x40180000        // counter; scratch at +8
        adr     x0, message
print:  ldrb    w1, [x0], #1
        cbz     w1, outer
        strb    w1, [x19]
        b       print
outer:  bl      level1
after_level1:
        ldr     x1, [x20]
        add     x1, x1, #1
count_store:
        str     x1, [x20]
        ldr     w1, [x19, #0x18]
        tbnz    w1, #4, outer
        ldr     w1, [x19]
        strb    w1, [x19]
        b       outer
level1: stp     x29, x30, [sp, #-16]!
        mov     x29, sp
        bl      level2
after_level2:
        ldp     x29, x30, [sp], #16
        ret
        .size   level1, . - level1
level2: stp     x29, x30, [sp, #-16]!
        mov     x29, sp
body:   ldr     x2, [x20, #8]
        add     x2, x2, #3
scratch_store:
        str     x2, [x20, #8]
        ldp     x29, x30, [sp], #16
        ret
        .size   level2, . - level2
message:
        .asciz  "READY\r\n"
        .balign 8
        .ltorg
