; The Plus/4's start, its interrupts and its chips.

;; reset
reset:  sei
        ldx #$ff
        txs
        cld
        sta ted+$3e         ; the processor sees ROM
        jsr ramtas          ; first: VICE 3.7 loses a raster interrupt that is set in the first lines
        jsr ioinit
        jsr restor
        jsr cint
        jsr cartridge
        cli
        jmp ($8001)

;; cartridge
; Starts one that announces itself: CBM at $8007, and a byte before it that is 1 if it wants to be.
cartridge:
        ldx #3
@bank:  stx $fb
        sta $fdd0,x
        ldy #2
@next:  lda $8007,y
        cmp @mark,y
        bne @other
        dey
        bpl @next
        lda $8006
        cmp #1
        beq @start
@other: dex
        bne @bank
        stx $fb
        sta $fdd0
        rts
@start: jmp $8000
@mark:  .text "CBM"

;; ramtas
; Cells are cleared, and memory is counted: 16K show themselves again at $4000, 32K at $8000. What lies under ROM is not BASIC's.
ramtas: lda #0
        tax
@clear: cpx #2
        bcc @ports
        sta $00,x
@ports: sta $0200,x
        sta $0300,x
        sta $0400,x
        sta $0500,x
        sta $0600,x
        sta $0700,x
        inx
        bne @clear
        lda #<$0333
        sta tapbuf
        lda #>$0333
        sta tapbuf+1
        ldx #0
        ldy #$10
        stx memstr
        sty memstr+1
        stx memend
        ldy #$80
        lda #$55
        sta $1000
        sta $5000
        asl
        sta $1000
        cmp $5000
        bne @set
        ldy #$40
@set:   sty memend+1
        lda #0
        sta $1000
        rts

;; ioinit
ioinit: lda #$0f
        sta port_direction
        lda #$08            ; no line is pulled, the motor is off
        sta bus_port
        ldx #$ff
        stx key_columns
        stx $fd10
        ldx #$19
@next:  lda @start,x
        sta ted,x
        dex
        bpl @next
        rts
; Registers $00 to $19: 25 rows, 40 columns, an interrupt below the picture, characters at $D000 in ROM, the matrix at $0800.
@start: .byte $f1,$39,0,0,0,0,$1b,$08,$ff,$ff,$02,$cc,$ff,$ff,0,0,0,0,$04,$d0,$08,$71,$5b,$75,$77,$6e

;; detect_video
; The last lines of a picture tell: NTSC ends at 261.
detect_video: lda ted+28
        lsr
        bcc detect_video
@line:  lda ted+29
        cmp #$20
        bcs @pal
        lda ted+28
        lsr
        bcs @line
        lda #$48
        sta ted+7
        lda #0
        .byte $2c
@pal:   lda #1
        sta palnts
        lda #5
        sta fifth
        rts

;; irq_cause
irq_cause:
        tsx
        lda $0104,x
        and #$10
        bne @brk
        jmp (cinv)
@brk:   jmp (cbinv)

;; count_frame
; The clock counts sixtieths of a second; PAL has fifty pictures in one.
count_frame:
        lda palnts
        beq @once
        dec fifth
        bne @once
        lda #5
        sta fifth
        jsr $ffea
@once:  jsr $ffea
        jmp (itime)
no_split:
        rts

;; brk_default
brk_default:
        jsr ioinit
        jsr restor
        jsr cint
        jmp ($8004)

;; init_screen
cint:   jsr detect_video
        lda #$0c
        sta hibase
        jsr init_screen_cells
        jmp cursor_off

;; no_tape
; Device 1 is not there.
load_tape:
save_tape:
        jmp error_no_device

;; print_inline
; Prints the text after its call, up to a 0.
*= $ff4f
        jmp print_inline

;; print_inline_code
print_inline:
        pha
        txa
        pha
        tya
        pha
@next:  tsx
        inc $0104,x
        bne @read
        inc $0105,x
@read:  lda $0104,x
        sta sal
        lda $0105,x
        sta sal+1
        ldy #0
        lda (sal),y
        beq @done
        jsr $ffd2
        jmp @next
@done:  pla
        tay
        pla
        tax
        pla
        rts

;; hardware_nmi
; The processor has no such pin.
nmi:    rti
