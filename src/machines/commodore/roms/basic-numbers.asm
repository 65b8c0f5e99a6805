; Numbers as text, both ways.

;; read_number
; Digits at txtptr into fac; A and carry come from chrget. Up to nine digits count, the others only shift the point.
*= basic_at+$1cf3
read_number:
        php
        pha
        ldx #0
        stx facho
        stx facho+1
        stx facho+2
        stx facho+3
        stx decexp
        stx tansgn          ; bit 7: the point was there
        stx sgnflg
        stx valtyp
        pla
        plp
        bcc @digit
        cmp #'-'
        beq @minus
        cmp #$ab
        beq @minus
        cmp #'+'
        beq @next
        cmp #$aa
        bne @other
        beq @next
@minus: dec sgnflg
@next:  jsr chrget
        bcs @other
@digit: and #$0f
        jsr take_digit
        jmp @next
@other: cmp #'.'
        bne @exponent
        bit tansgn
        bmi @end
        lda #$80
        sta tansgn
        bne @next
@exponent:
        cmp #'E'
        bne @end
        jsr read_exponent
@end:   lda #$a0
        sta fac
        lda #0
        sta facov
        sta facsgn
        jsr normalise
        jsr scale
        lda fac
        beq @done
        lda sgnflg
        sta facsgn
@done:  rts

;; take_digit
; facho becomes ten times itself and A.
take_digit:
        ldx facho
        cpx #$19            ; ten times that would not fit
        bcs @full
        bit tansgn
        bpl @whole
        dec decexp
@whole: pha
        ldx #3
@copy:  lda facho,x
        sta argho,x
        dex
        bpl @copy
        jsr @double
        jsr @double
        ldx #3
        clc
@add:   lda facho,x
        adc argho,x
        sta facho,x
        dex
        bpl @add
        jsr @double
        pla
        clc
        adc facho+3
        sta facho+3
        bcc @done
        ldx #2
@carry: inc facho,x
        bne @done
        dex
        bpl @carry
@done:  rts
@full:  bit tansgn
        bmi @done
        inc decexp
        rts
@double:
        asl facho+3
        rol facho+2
        rol facho+1
        rol facho
        rts

;; read_exponent
read_exponent:
        ldx #0
        stx endchr
        stx charac
        jsr chrget
        bcc @digit
        cmp #'-'
        beq @minus
        cmp #$ab
        beq @minus
        cmp #'+'
        beq @next
        cmp #$aa
        beq @next
        bne @end
@minus: dec charac
@next:  jsr chrget
        bcs @end
@digit: and #$0f
        sta index
        lda endchr
        cmp #10
        bcs @large
        asl
        asl
        adc endchr
        asl
        adc index
        .byte $2c
@large: lda #100
        sta endchr
        jmp @next
@end:   lda endchr
        bit charac
        bpl @add
        eor #$ff
        sec
        bcs @sum
@add:   clc
@sum:   adc decexp
        sta decexp
        rts

;; scale
; fac times ten to the power of decexp.
scale:  lda fac
        beq @done
        lda decexp
        beq @done
        bmi @down
        dec decexp
        jsr times_ten
        jmp scale
@down:  inc decexp
        jsr over_ten
        jmp scale
@done:  rts

;; times_ten
times_ten:
        lda fac
        beq @done
        jsr fac_to_arg
        lda #0
        sta arisgn
        clc
        lda fac
        adc #2
        bcs @over
        sta fac
        jsr add
        inc fac
        beq @over
@done:  rts
@over:  jmp err_overflow
over_ten:
        lda #<float_ten
        ldy #>float_ten
; fac divided by the number at A/Y.
divide_by:
        sta index
        sty index+1
        jsr fac_to_arg
        lda index
        ldy index+1
        jsr unpack
        lda facsgn
        eor argsgn
        sta arisgn
        jmp divide

;; number_text
; fac as text at $0100, with a blank or a minus in front; A/Y point to it.
*= basic_at+$1ddd
number_text:
        lda #$20
        bit facsgn
        bpl @sign
        lda fac
        beq @sign
        lda #'-'
@sign:  sta $0100
        lda #0
        sta facsgn
        lda fac
        bne @number
        lda #'0'
        sta $0101
        ldy #2
        bne @end
@number:
        jsr nine_digits
        ldx #9
@trim:  dex
        lda digits,x
        cmp #'0'
        beq @trim
        inx
        stx charac          ; digits that count
        ldy #1
        clc
        lda decexp
        adc #9              ; digits before the point
        sta endchr
        cmp #10
        bcc @plain
        cmp #$ff
        beq @hundredth
        lda #1
        sta endchr
        jsr put_digits
        jmp put_exponent
@hundredth:
        lda #'.'
        sta $0101
        lda #'0'
        sta $0102
        ldy #3
        ldx #0
        stx endchr
        jsr put_rest
        jmp @end
@plain: jsr put_digits
@end:   lda #0
        sta $0100,y
        lda #<$0100
        ldy #>$0100
        rts

;; put_digits
; The digits from $0100,y on: endchr of them before the point, charac in all.
put_digits:
        ldx #0
        beq put_point
put_rest:
        cpx charac
        bcc @put
        cpx endchr
        bcs put_done
@put:   lda digits,x
        sta $0100,y
        iny
        inx
        bne put_point
put_done:
        rts
put_point:
        cpx endchr
        bne put_rest
        cpx charac
        bcs put_done
        lda #'.'
        sta $0100,y
        iny
        bne put_rest

;; put_exponent
put_exponent:
        lda #'E'
        sta $0100,y
        iny
        ldx #'+'
        clc
        lda decexp
        adc #8
        bpl @sign
        ldx #'-'
        eor #$ff
        clc
        adc #1
@sign:  pha
        txa
        sta $0100,y
        iny
        pla
        ldx #'0'-1
        sec
@tens:  inx
        sbc #10
        bcs @tens
        adc #'0'+10
        pha
        txa
        sta $0100,y
        iny
        pla
        sta $0100,y
        iny
        lda #0
        sta $0100,y
        lda #<$0100
        ldy #>$0100
        rts

;; nine_digits
; fac, above zero, as nine digits at digits and a power of ten in decexp.
nine_digits:
        lda #0
        sta decexp
@tiny:  lda fac
        cmp #$81
        bcs @huge
        lda #<float_1e9
        ldy #>float_1e9
        jsr multiply_memory
        lda #<-9
        jsr @shift
        jmp @tiny
@huge:  cmp #$b9
        bcc @find
        lda #<float_1e8
        ldy #>float_1e8
        jsr divide_by
        lda #8
        jsr @shift
        lda fac
        bne @huge
@shift: clc
        adc decexp
        sta decexp
        rts
@find:  ldx #40             ; one step to nine digits: every rounding could be seen
@power: stx endchr
        txa
        clc
        adc #<tens
        ldy #>tens
        bcc @compare
        iny
@compare:
        jsr compare
        bpl @found
        dec decexp
        lda endchr
        sec
        sbc #5
        tax
        jmp @power
@found: lda #40
        sec
        sbc endchr
        beq @large
        clc
        adc #<tens
        ldy #>tens
        bcc @multiply
        iny
@multiply:
        jsr multiply_memory
@large: lda #<float_over
        ldy #>float_over
        jsr compare
        bmi @fits
        jsr over_ten
        inc decexp
        jmp @large
@fits:  lda #<float_half
        ldy #>float_half
        jsr add_memory
        jsr to_integer
        ldx #0
        ldy #0
@digit: lda #'0'-1
        sta digits,x
        stx bits
        sec
@count: ldx bits
        inc digits,x
        sec
        lda facho+3
        sbc powers+3,y
        sta argho+3
        lda facho+2
        sbc powers+2,y
        sta argho+2
        lda facho+1
        sbc powers+1,y
        sta argho+1
        lda facho
        sbc powers,y
        bcc @next
        sta facho
        lda argho+1
        sta facho+1
        lda argho+2
        sta facho+2
        lda argho+3
        sta facho+3
        jmp @count
@next:  iny
        iny
        iny
        iny
        inx
        cpx #9
        bne @digit
        rts
powers: .byte $05,$f5,$e1,$00, $00,$98,$96,$80, $00,$0f,$42,$40, $00,$01,$86,$a0, $00,$00,$27,$10
        .byte $00,$00,$03,$e8, $00,$00,$00,$64, $00,$00,$00,$0a, $00,$00,$00,$01

;; tens
tens:
float_one:
        .byte $81,$00,$00,$00,$00
float_ten:
        .byte $84,$20,$00,$00,$00
        .byte $87,$48,$00,$00,$00
        .byte $8a,$7a,$00,$00,$00
        .byte $8e,$1c,$40,$00,$00
        .byte $91,$43,$50,$00,$00
        .byte $94,$74,$24,$00,$00
        .byte $98,$18,$96,$80,$00
float_1e8:
        .byte $9b,$3e,$bc,$20,$00
float_1e9:
        .byte $9e,$6e,$6b,$28,$00
