// aarch64 -M virt -kernel: reads where nothing answers and stays in the handler of that.
        .globl  _start
_start: ldr     x0, =vectors
        msr     vbar_el1, x0
        isb
        ldr     x1, =0x0000004000000000
faulting:
        ldr     x2, [x1, #16]
        b       _start
        .balign 2048
vectors:
        .fill   128, 4, 0xd503201f
handler:
        wfi
        b       handler
        .balign 128
        b       handler
        .balign 2048
        .ltorg
