@ arm -M virt -kernel: as the aarch64 guest, in A32.
        .arch   armv7-a
        .arm
        .globl  _start
        .type   level1, %function
        .type   level2, %function
_start: ldr     sp, =0x40200000
        mov     r11, #0
        mov     lr, #0
        ldr     r4, =0x09000000         @ PL011 UART
        ldr     r5, =0x40180000         @ counter; scratch at +8
        adr     r0, message
print:  ldrb    r1, [r0], #1
        cmp     r1, #0
        beq     outer
        strb    r1, [r4]
        b       print
outer:  bl      level1
after_level1:
        ldr     r1, [r5]
        add     r1, r1, #1
count_store:
        str     r1, [r5]
        ldr     r1, [r4, #0x18]
        tst     r1, #0x10
        bne     outer
        ldr     r1, [r4]
        strb    r1, [r4]
        b       outer
level1: push    {r11, lr}
        add     r11, sp, #4
        bl      level2
after_level2:
        pop     {r11, lr}
        bx      lr
        .size   level1, . - level1
level2: push    {r11, lr}
        add     r11, sp, #4
body:   ldr     r2, [r5, #8]
        add     r2, r2, #3
scratch_store:
        str     r2, [r5, #8]
        pop     {r11, lr}
        bx      lr
        .size   level2, . - level2
        .balign 4
message:
        .asciz  "READY\r\n"
        .balign 4
        .ltorg
