; Driver for the two Am29F040 of an EasyFlash, by its published interface (EasyAPI): 768 bytes that a program copies to the
; beginning of any page of RAM and starts at offset 20. From then on it is called at $DF80.
;
; Flash chips take writes in Ultimax mode alone, in which only the cartridge's own RAM at $DF80 is sure to be seen: what writes is
; there. All else stays in the copy, and calls nothing in it by address, since nobody knows where it is.

ram         = $df80
bankPort    = $de00
modePort    = $de02
ultimax     = $85               ; with the LED
plain       = $07               ; 16K
pointer     = $fb
stack       = $0100

* = $0000
        .byte $65, $61, $70, $69
        .text "am29f040 driver "

; out: A type of the chips, X their maker, Y banks; C set if there are others
init    php
        sei
        lda #$60                ; RTS
        sta ram
        jsr ram
        tsx
        lda stack,x             ; the page that this runs in, as JSR left it there
        tax
        lda pointer
        pha
        lda pointer+1
        pha
        lda #<identify
        sta pointer
        inx
        stx pointer+1
        ldy #$7f
first   lda (pointer),y
        sta ram,y
        dey
        bpl first
        jsr ram
        bcs unknown
        tya
        pha
        txa
        pha
        lda #<resident
        sta pointer
        ldy #$7f
second  lda (pointer),y
        sta ram,y
        dey
        bpl second
        ldx pointer+1
        stx ram+14              ; setPointer
        stx ram+17              ; setLength
        inx
        stx ram+2
        stx ram+5
        stx ram+20
        stx ram+23
        lda #0
        sta bank
        sta bankPort
        pla
        sta seen
        pla
        tay
        pla
        sta pointer+1
        pla
        sta pointer
        ldx seen
        tya
        plp
        ldy #64
        clc
        rts
unknown pla
        sta pointer+1
        pla
        sta pointer
        plp
        sec
        rts

; ---- what goes to $DF80 for good

        * = $0100
resident
        .logical ram
        jmp writeFlash
        jmp eraseSector
        jmp setBank
        jmp getBank
        jmp setPointer
        jmp setLength
        jmp readNext
        jmp writeNext
        rts                     ; there is one slot
place   .word 0
        lda #0
        rts

setBank sta bank
        sta bankPort
        rts

getBank lda bank
        rts

; X, Y: address, for `command`, `store` and `read`
address stx target+1
        stx source+1
        tya
        and #$bf                ; $E000 is at $A000 too
        sta source+2
        cmp #$a0
        bcc low
        ora #$40                ; in Ultimax mode it is at $E000 alone
low     sta target+2
        and #$e0
        ora #$05
        sta unlock1+2
        sta unlock3+2
        eor #$07
        sta unlock2+2
        rts

command pha
        lda #ultimax
        sta modePort
        lda #$aa
unlock1 sta $8555
        lda #$55
unlock2 sta $82aa
        pla
unlock3 sta $8555
leave   lda #plain
        sta modePort
        rts

store   pha
        lda #ultimax
        sta modePort
        pla
target  sta $8000
        jmp leave

source
read    lda $8000
        rts

bank    .byte 0
length  .byte 0, 0, 0
mode    .byte 0
seen    .byte 0
        .here

; ---- what is at $DF80 at first: who made the chips

        * = $0180
identify
        .logical ram
        lda #ultimax
        sta modePort
        lda #$aa
        sta $8555
        sta $e555
        lda #$55
        sta $82aa
        sta $e2aa
        lda #$90
        sta $8555
        sta $e555
        ldx $8000
        ldy $8001
        cpx $e000
        bne other
        cpy $e001
        bne other
        cpx #$01
        bne other
        cpy #$a4
        bne other
        clc
        bcc known
other   sec
known   lda #$f0
        sta $8000
        sta $e000
        lda #plain
        sta modePort
        rts
        .here

; ---- what stays in the copy

; A: where to go on at the end of 8K ($D0 low, high, low, high; $B0 low alone; $D4 high alone), X, Y: address
setPointer
        sta mode
        stx place
        sty place+1
        rts

; X, Y, A: 24 bits
setLength
        stx length
        sty length+1
        sta length+2
        rts

        * = $0200

; A: byte, X, Y: address
writeFlash
        php
        sei
        pha
        jsr address
        lda #$a0
        jsr command
        pla
        pha
        jsr store
written jsr read                ; bits change from read to read until it is done
        sta seen
        jsr read
        cmp seen
        bne written
        pla
        cmp seen
        bne failed
well    plp
        clc
        ora #0
        rts
failed  plp
        sec
        ora #0
        rts

; A: bank, Y: upper half of an address
eraseSector
        php
        sei
        pha
        sta bankPort
        txa
        pha
        ldx #0
        jsr address
        lda #$80
        jsr command
        lda #$30
        jsr command
erased  jsr read
        sta seen
        jsr read
        cmp seen
        bne erased
        lda bank
        sta bankPort
        pla
        tax
        pla
        inc seen                ; $FF everywhere
        bne failed
        beq well

; out: A byte, C set if none was left
readNext
        lda length
        ora length+1
        ora length+2
        beq none
        lda length
        bne lower
        lda length+1
        bne middle
        dec length+2
middle  dec length+1
lower   dec length
        pha
        txa
        pha
        tya
        pha
        lda bank
        sta bankPort
        ldx place
        ldy place+1
        jsr address
        jsr read
        sta seen
        clc
        bcc advance
none    sec
        rts

; A: byte
writeNext
        pha
        txa
        pha
        tya
        pha
        lda bank
        sta bankPort
        tsx
        lda stack+3,x
        ldx place
        ldy place+1
        jsr ram
        sta seen
advance php
        inc place
        bne within
        inc place+1
        lda place+1
        and #$1f
        bne within
        lda mode
        cmp #$d4
        beq high
        cmp #$d0
        bne lowest
        lda place+1
        cmp #$a0
        beq within
lowest  lda #$80
        bne next
high    lda #$e0
        ldx place+1
        beq next
        lda #$a0
next    sta place+1
        inc bank
within  plp
        pla
        tay
        pla
        tax
        pla
        lda seen
        rts

        * = $02ff
        .byte $ff
