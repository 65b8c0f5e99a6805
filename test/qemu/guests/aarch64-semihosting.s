// aarch64 -M virt -kernel: by semihosting says hello, tries to open a file of the host, to run a program there and to read
// its keyboard, says what came of it, and leaves with code 7.
        .globl  _start
        .macro  semihost number
        mov     w0, #\number
        hlt     #0xf000
        .endm
_start: ldr     x0, =0x40200000
        mov     sp, x0
        adr     x1, hello
        semihost 0x04                   // SYS_WRITE0
        adr     x1, byte
        semihost 0x03                   // SYS_WRITEC
        adr     x1, open
        semihost 0x01                   // SYS_OPEN
        bl      told
        adr     x1, system
        semihost 0x12                   // SYS_SYSTEM
        bl      told
        adr     x1, remove
        semihost 0x0e                   // SYS_REMOVE
        bl      told
        semihost 0x07                   // SYS_READC
        bl      told
        adr     x1, terminal
        semihost 0x01
        adr     x1, write
        str     x0, [x1]
        semihost 0x05                   // SYS_WRITE
ended:  adr     x1, exit
        semihost 0x20                   // SYS_EXIT_EXTENDED
        b       ended

// Of the result: whether it is an error.
told:   cmn     w0, #1
        adr     x1, refused
        adr     x2, done
        csel    x1, x1, x2, eq
        mov     w0, #0x04
        hlt     #0xf000
        ret

hello:  .asciz  "hello from the guest\n"
byte:   .ascii  "!"
refused: .asciz "refused\n"
done:   .asciz  "done\n"
path:   .asciz  "/tmp/semihosting-was-here"
shell:  .asciz  "touch /tmp/semihosting-was-here"
tt:     .asciz  ":tt"
bye:    .ascii  "bye\n"
        .align  3
open:   .quad   path, 4, 25             // for writing
system: .quad   shell, 31
remove: .quad   path, 25
terminal: .quad tt, 4, 3
write:  .quad   0, bye, 4
exit:   .quad   0x20026, 7
