; Numbers of five bytes: exponent plus 128 (0 is zero), mantissa of 32 bits whose first bit, always 1, is the sign's place.
; In fac and arg the sign has a byte of its own. After every operation here fac is rounded.

;; unpack
; fac from the number at A/Y.
unpack: sta index
        sty index+1
        ldy #4
@next:  lda (index),y
        sta fac,y
        dey
        bpl @next
        lda facho
        sta facsgn
        ora #$80
        sta facho
        lda #0
        sta facov
        rts
unpack_arg:
        sta index
        sty index+1
        ldy #4
@next:  lda (index),y
        sta arg,y
        dey
        bpl @next
        lda argho
        sta argsgn
        eor facsgn
        sta arisgn
        lda argho
        ora #$80
        sta argho
        rts

;; pack
; fac to memory at X/Y.
pack:   stx index
        sty index+1
        ldy #4
@next:  lda fac,y
        sta (index),y
        dey
        bne @next
        lda fac
        sta (index),y
        iny
        lda facsgn
        ora #$7f
        and facho
        sta (index),y
        rts

;; copies
fac_to_arg:
        ldx #5
@next:  lda fac,x
        sta arg,x
        dex
        bpl @next
        rts
arg_to_fac:
        ldx #5
@next:  lda arg,x
        sta fac,x
        dex
        bpl @next
        lda #0
        sta facov
        rts

;; round
; The guard byte's first bit goes up into the mantissa.
round:  asl facov
        bcc @done
        ldx #3
@next:  inc facho,x
        bne @done
        dex
        bpl @next
        lda #$80            ; all bits were ones
        sta facho
        inc fac
        bne @done
        jmp err_overflow
@done:  lda #0
        sta facov
        rts

;; normalise
; Shifts fac left until its first bit is set, then rounds.
normalise:
        ldx #5
@byte:  lda facho
        bne normalise_bits
        dex
        beq fac_zero
        lda facho+1
        sta facho
        lda facho+2
        sta facho+1
        lda facho+3
        sta facho+2
        lda facov
        sta facho+3
        lda #0
        sta facov
        sec
        lda fac
        sbc #8
        sta fac
        bcc fac_zero
        bne @byte
fac_zero:
        lda #0
        sta fac
        sta facsgn
        sta facov
        rts
normalise_bits:
        lda facho
        bmi @round
        dec fac
        beq fac_zero
        asl facov
        rol facho+3
        rol facho+2
        rol facho+1
        rol facho
        jmp normalise_bits
@round: jmp round

;; add
subtract:
        lda facsgn
        eor #$ff
        sta facsgn
        eor argsgn
        sta arisgn
        jmp add
subtract_memory:
        jsr unpack_arg
        jmp subtract
add_memory:
        jsr unpack_arg
add:    lda arg
        beq @done
        lda fac
        bne @both
        jmp arg_to_fac
@done:  rts
@both:  sec
        sbc arg
        bcs @ordered
        ldx #5              ; the larger exponent into fac
@swap:  lda fac,x
        ldy arg,x
        sta arg,x
        sty fac,x
        dex
        bpl @swap
        sec
        lda fac
        sbc arg
@ordered:
        ldy #0
        sty facov
        cmp #40
        bcs @done           ; too small to count
@bytes: cmp #8
        bcc @bits
        ldx argho+3
        stx facov
        ldx argho+2
        stx argho+3
        ldx argho+1
        stx argho+2
        ldx argho
        stx argho+1
        sty argho
        sbc #8
        jmp @bytes
@bits:  tay
        beq @aligned
@shift: lsr argho
        ror argho+1
        ror argho+2
        ror argho+3
        ror facov
        dey
        bne @shift
@aligned:
        bit arisgn
        bpl @same
        jmp add_differing
@same:  ldx #3
        clc
@sum:   lda facho,x
        adc argho,x
        sta facho,x
        dex
        bpl @sum
        bcc @round
        ror facho
        ror facho+1
        ror facho+2
        ror facho+3
        ror facov
        inc fac
        bne @round
        jmp err_overflow
@round: jmp round

;; add_differing
; fac minus the aligned arg, whose lowest byte is in facov.
add_differing:
        sec
        lda #0
        sbc facov
        sta facov
        ldx #3
@next:  lda facho,x
        sbc argho,x
        sta facho,x
        dex
        bpl @next
        bcs @positive
        lda facsgn
        eor #$ff
        sta facsgn
        ldx #4
        sec
@negate:
        lda negate_cells,x
        tay
        lda #0
        sbc $0000,y
        sta $0000,y
        dex
        bpl @negate
@positive:
        jmp normalise
negate_cells:
        .byte facho,facho+1,facho+2,facho+3,facov

;; multiply
multiply_memory:
        jsr unpack_arg
multiply:
        lda fac
        beq @zero
        lda arg
        bne @both
@zero:  jmp fac_zero
@both:  clc
        adc fac
        jsr product_exponent
        lda #0
        ldx #4
@clear: sta resho,x
        dex
        bpl @clear
        ldx #3
@byte:  lda facho,x
        bne @bits
        lda resho+3
        sta resho+4
        lda resho+2
        sta resho+3
        lda resho+1
        sta resho+2
        lda resho
        sta resho+1
        lda #0
        sta resho
        beq @next
@bits:  sta bits
        ldy #8
@bit:   lsr bits
        bcc @shift
        stx bytes
        ldx #3
        clc
@sum:   lda argho,x
        adc resho,x
        sta resho,x
        dex
        bpl @sum
        ldx bytes
@shift: ror resho
        ror resho+1
        ror resho+2
        ror resho+3
        ror resho+4
        dey
        bne @bit
@next:  dex
        bpl @byte
; The result in resho with the sign of the two operands.
take_result:
        ldx #3
@copy:  lda resho,x
        sta facho,x
        dex
        bpl @copy
        lda resho+4
        sta facov
        lda arisgn
        sta facsgn
        jmp normalise

;; product_exponent
; The sum of two exponents is in A and carry.
product_exponent:
        bcs @large
        sec
        sbc #$80
        bcc @under
        beq @under
        sta fac
        rts
@large: adc #$7f            ; minus 128 and the ninth bit, with carry
        bcs @over
        sta fac
        rts
@over:  jmp err_overflow
@under: pla
        pla
        jmp fac_zero

;; divide
; fac becomes arg divided by fac.
divide_memory:
        jsr unpack_arg
divide: lda fac
        bne @not_zero
        jmp err_division
@not_zero:
        lda arg
        bne @both
        jmp fac_zero
@both:  jsr quotient_exponent
        ldx #40
        clc
@bit:   bcs @subtract       ; the ninth bit of the rest
        lda argho
        cmp facho
        bne @decided
        lda argho+1
        cmp facho+1
        bne @decided
        lda argho+2
        cmp facho+2
        bne @decided
        lda argho+3
        cmp facho+3
@decided:
        bcc @bring
@subtract:
        ldy #3
        sec
@less:  lda argho,y
        sbc facho,y
        sta argho,y
        dey
        bpl @less
        sec
@bring: rol resho+4
        rol resho+3
        rol resho+2
        rol resho+1
        rol resho
        asl argho+3
        rol argho+2
        rol argho+1
        rol argho
        dex                 ; leaves the ninth bit in carry
        bne @bit
        jmp take_result

;; quotient_exponent
quotient_exponent:
        lda arg
        sec
        sbc fac
        bcs @above
        adc #$81
        bcc @under
        beq @under
        bcs @set
@above: adc #$80
        bcs @over
@set:   sta fac
        rts
@over:  jmp err_overflow
@under: pla
        pla
        jmp fac_zero

;; compare
; 1, 0 or $ff in A as fac is above, equal to or below the number at A/Y.
compare:
        jsr unpack_arg
        jsr compare_arg
        eor #$ff
        clc
        adc #1
        pha
        eor #1              ; carry is clear only where fac is the larger one
        cmp #1
        pla
        rts
; The same for arg against fac.
compare_arg:
        lda arg
        beq @zero
        lda fac
        beq @sign_of_arg
        bit arisgn
        bmi @sign_of_arg
        ldx #0
@next:  lda arg,x
        cmp fac,x
        bne @differ
        inx
        cpx #5
        bne @next
        lda #0
        rts
@differ:
        lda #0
        ror                 ; bit 7: arg has the larger amount
        eor #$80
        eor argsgn
        jmp @sign
@zero:  lda fac
        beq @equal
        lda facsgn
        eor #$80
        jmp @sign
@sign_of_arg:
        lda argsgn
@sign:  asl
        lda #$ff
        bcs @equal
        lda #1
@equal: rts

;; sign
; 1, 0 or $ff in A as fac is above, equal to or below zero.
sign:   lda fac
        beq @done
        lda facsgn
        asl
        lda #$ff
        bcs @done
        lda #1
@done:  rts

;; float_word
; facho and facho+1 with exponent X; carry clear for a negative number in two's complement.
float_word:
        lda #0
        sta facho+2
        sta facho+3
        sta facov
        sta facsgn
        stx fac
        bcs @positive
        dec facsgn
        sec
        sbc facho+1
        sta facho+1
        lda #0
        sbc facho
        sta facho
@positive:
        jmp normalise

;; to_integer
; fac to a whole number of 32 bits in facho, rounded down; negative ones in two's complement.
to_integer:
        lda fac
        beq @zero
        sec
        lda #$a0
        sbc fac
        beq @sign
        bcc @large
        tay
        cpy #33
        bcc @shift
        ldy #32
@shift: lda #0
        sta bits
@next:  lsr facho
        ror facho+1
        ror facho+2
        ror facho+3
        lda #0
        rol
        ora bits            ; anything lost?
        sta bits
        dey
        bne @next
        bit facsgn
        bpl @done
        lda bits
        beq @sign
        ldx #3
@up:    inc facho,x
        bne @sign
        dex
        bpl @up
@sign:  bit facsgn
        bpl @done
        ldx #3
        sec
@negate:
        lda #0
        sbc facho,x
        sta facho,x
        dex
        bpl @negate
@done:  rts
@zero:  ldx #3
        lda #0
@clear: sta facho,x
        dex
        bpl @clear
        rts
@large: jmp err_quantity

;; int
int:    lda fac
        cmp #$a0
        bcs @done
        lda facsgn
        pha
        jsr to_integer
        pla
        sta facsgn
        ldy #$a0
        sty fac
        ldy #0
        sty facov
        asl
        bcc @positive
        ldx #3
        sec
@negate:
        lda #0
        sbc facho,x
        sta facho,x
        dex
        bpl @negate
@positive:
        jmp normalise
@done:  rts

;; to_word
; fac as a whole number from -32768 to 32767 in facho+2 and facho+3; to_positive takes 0 to 32767, to_address
; 0 to 65535 into linnum.
to_positive:
        lda fac
        beq to_word
        bit facsgn
        bmi word_wrong
to_word:
        lda fac
        cmp #$90
        bcc @small
        bne word_wrong
        bit facsgn
        bpl word_wrong
        jsr to_integer
        lda facho+2
        cmp #$80
        bne word_wrong
        lda facho+3
        bne word_wrong
        rts
@small: jmp to_integer
to_address:
        lda fac
        beq @small
        bit facsgn
        bmi word_wrong
@small: cmp #$91
        bcs word_wrong
        jsr to_integer
        lda facho+2
        ldy facho+3
        sty linnum
        sta linnum+1
        rts
word_wrong:
        jmp err_quantity

;; constants
float_zero:
        .byte 0,0,0,0,0
float_half:
        .byte $80,$00,$00,$00,$00
float_pi:
        .byte $82,$49,$0f,$da,$a2
