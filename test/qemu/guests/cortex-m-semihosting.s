// arm -M mps2-an385 (Cortex-M3): by semihosting says hello, tries to open a file of the host, and says what came of it, again
// and again.
        .syntax unified
        .cpu    cortex-m3
        .thumb
        .globl  _start
        .word   0x20001000
        .word   _start + 1
        .thumb_func
_start: movs    r0, #0x04               // SYS_WRITE0
        ldr     r1, =hello
        bkpt    0xab
        movs    r0, #0x01               // SYS_OPEN
        ldr     r1, =open
        bkpt    0xab
        ldr     r1, =done
        cmp     r0, #0
        bge     told
        ldr     r1, =refused
told:   movs    r0, #0x04
        bkpt    0xab
count:  ldr     r2, =0x20000800
        ldr     r3, [r2]
        adds    r3, #1
        str     r3, [r2]
        b       _start
        .ltorg

hello:  .asciz  "hello from the guest\n"
refused: .asciz "refused\n"
done:   .asciz  "done\n"
path:   .asciz  "/tmp/semihosting-was-here"
        .align  2
open:   .word   path, 4, 25             // for writing
