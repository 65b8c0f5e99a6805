; Variables: seven bytes each from vartab to arytab (name 2, value 5), arrays from there to strend (name 2, length 2,
; dimensions 1, sizes 2 each with the last first, elements). Bit 7 of the name's bytes tells the type: both for an
; integer, the second for a string, the first for a function.

;; find_variable
; The variable at txtptr: A/Y and varpnt point to its value. find_value leaves one that does not exist alone.
find_value:
        lda #0
        beq find_how
find_or_make:
        lda #$80
find_how:
        sta creates
        jsr chrgot
        jmp find_name
find_or_make_named:
        ldx #$80
        stx creates
find_name:
        sta varnam
        and #$7f            ; a function's name comes with bit 7
        jsr is_letter
        bcs @letter
        jmp err_syntax
@letter:
        ldx #0
        stx valtyp
        stx intflg
        jsr chrget
        bcc @second
        jsr is_letter
        bcc @suffix
@second:
        tax
@more:  jsr chrget
        bcc @more
        jsr is_letter
        bcs @more
@suffix:
        cmp #'$'
        bne @number
        dec valtyp
        bne @typed
@number:
        cmp #'%'
        bne @name
        lda subflg
        bne @wrong
        lda #$80
        sta intflg
        ora varnam
        sta varnam
@typed: txa
        ora #$80
        tax
        jsr chrget
@name:  stx varnam+1
        ldx subflg
        bne @simple
        cmp #'('
        bne @simple
        jmp find_array
@simple:
        ldx #0
        stx subflg
        jmp find_simple
@wrong: jmp err_syntax
; Carry set for A to Z.
is_letter:
        cmp #'A'
        bcc @no
        cmp #'Z'+1
        bcs @not
        sec
@no:    rts
@not:   clc
        rts

;; find_simple
find_simple:
        lda vartab
        ldx vartab+1
@next:  sta lowtr
        stx lowtr+1
        cpx arytab+1
        bne @look
        cmp arytab
        beq @missing
@look:  ldy #0
        lda (lowtr),y
        cmp varnam
        bne @other
        iny
        lda (lowtr),y
        cmp varnam+1
        beq point_at_value
@other: clc
        lda lowtr
        adc #7
        bcc @next
        inx
        bcs @next
@missing:
        bit creates
        bmi make_simple
        lda #<float_zero
        ldy #>float_zero
        sta varpnt
        sty varpnt+1
        rts
; The arrays move up by seven bytes.
make_simple:
        lda strend
        sta $5a
        ldy strend+1
        sty $5b
        clc
        adc #7
        bcc @low
        iny
@low:   jsr reserve
        sta $58
        sty $59
        sta strend
        sty strend+1
        jsr move_up
        clc
        lda arytab
        adc #7
        sta arytab
        bcc @name
        inc arytab+1
@name:  ldy #6
        lda #0
@zero:  sta (lowtr),y
        dey
        cpy #1
        bne @zero
        lda varnam+1
        sta (lowtr),y
        dey
        lda varnam
        sta (lowtr),y
point_at_value:
        clc
        lda lowtr
        adc #2
        ldy lowtr+1
        bcc @set
        iny
@set:   sta varpnt
        sty varpnt+1
        rts

;; reserve
; Makes sure that memory up to A/Y is free, or complains. Keeps A and Y.
reserve:
        cpy fretop+1
        bcc @done
        bne @full
        cmp fretop
        bcc @done
        beq @done
@full:  pha
        tya
        pha
        lda lowtr
        pha
        lda lowtr+1
        pha
        jsr collect
        lda strend
        sta $5a
        lda strend+1
        sta $5b
        pla
        sta lowtr+1
        pla
        sta lowtr
        pla
        tay
        pla
        cpy fretop+1
        bcc @done
        bne @memory
        cmp fretop
        bcc @done
        beq @done
@memory:
        jmp err_memory
@done:  rts

;; find_array
; txtptr is on the opening parenthesis. Subscripts lie on the stack, the last on top.
find_array:
        ldx #0
@subscript:
        txa
        pha
        lda dimflg
        pha
        lda intflg
        pha
        lda valtyp
        pha
        lda varnam+1
        pha
        lda varnam
        pha
        jsr chrget
        lda #0
        sta dimflg
        jsr eval_number
        jsr to_positive
        pla
        sta varnam
        pla
        sta varnam+1
        pla
        sta valtyp
        pla
        sta intflg
        pla
        sta dimflg
        pla
        tax
        lda facho+2
        pha
        lda facho+3
        pha
        inx
        jsr chrgot
        cmp #','
        beq @subscript
        stx count
        jsr need_close
        lda arytab
        ldx arytab+1
@next:  sta lowtr
        stx lowtr+1
        cpx strend+1
        bne @look
        cmp strend
        beq @make
@look:  ldy #0
        lda (lowtr),y
        cmp varnam
        bne @other
        iny
        lda (lowtr),y
        cmp varnam+1
        beq @found
@other: ldy #2
        lda (lowtr),y
        clc
        adc lowtr
        pha
        iny
        lda (lowtr),y
        adc lowtr+1
        tax
        pla
        jmp @next
@make:  jmp make_array
@found: lda dimflg
        bne @again
        ldy #4
        lda (lowtr),y
        cmp count
        beq @index
        jmp err_subscript
@index: jmp element
@again: ldx #19
        jmp error

;; make_array
; Sizes come from the subscripts of a DIM, or are 11.
make_array:
        clc
        lda count
        asl
        adc #5
        adc strend
        ldy strend+1
        bcc @low
        iny
@low:   jsr reserve         ; the head
        ldy #0
        lda varnam
        sta (lowtr),y
        iny
        lda varnam+1
        sta (lowtr),y
        ldy #4
        lda count
        sta (lowtr),y
        jsr element_size
        sta index2
        lda #0
        sta index2+1
        tsx
        lda count
        sta charac
@size:  iny
        bit dimflg
        bmi @given
        lda #0
        sta (lowtr),y
        iny
        lda #11
        sta (lowtr),y
        bne @multiply
@given: clc
        lda $0101,x
        adc #1
        sta endchr
        lda $0102,x
        adc #0
        sta (lowtr),y
        iny
        lda endchr
        sta (lowtr),y
@multiply:
        dey
        lda (lowtr),y
        sta index+1
        iny
        lda (lowtr),y
        sta index
        jsr multiply_words
        inx
        inx
        dec charac
        bne @size
        iny
        tya                 ; length of the head
        clc
        adc index2
        sta index2
        bcc @whole
        inc index2+1
        beq @memory
@whole: ldy #2
        lda index2
        sta (lowtr),y
        iny
        lda index2+1
        sta (lowtr),y
        lda count
        asl
        adc #5
        pha
        clc
        lda index2
        adc lowtr
        pha
        lda index2+1
        adc lowtr+1
        bcs @memory
        tay
        pla
        jsr reserve
        sta strend
        sty strend+1
        pla
        jsr clear_array
        bit dimflg
        bmi @drop
        jmp element
@drop:  pla
        pla
        dec count
        bne @drop
        rts
@memory:
        jmp err_memory

;; clear_array
; Zeros from lowtr+A up to strend.
clear_array:
        clc
        adc lowtr
        sta index
        lda lowtr+1
        adc #0
        sta index+1
        ldy #0
@next:  lda index
        cmp strend
        bne @zero
        lda index+1
        cmp strend+1
        beq @done
@zero:  tya
        sta (index),y
        inc index
        bne @next
        inc index+1
        bne @next
@done:  rts

;; element
; The element whose subscripts lie on the stack, of the array at lowtr.
element:
        lda #0
        sta index2
        sta index2+1
        ldy #5
@next:  lda (lowtr),y
        sta index+1
        iny
        lda (lowtr),y
        sta index
        iny
        jsr multiply_words
        pla
        sta endchr
        pla
        tax
        lda endchr
        cmp index
        txa
        sbc index+1
        bcs @outside
        clc
        lda endchr
        adc index2
        sta index2
        txa
        adc index2+1
        sta index2+1
        dec count
        bne @next
        jsr element_size
        sta index
        tya
        pha
        lda #0
        sta index+1
        jsr multiply_words
        pla
        clc
        adc index2
        bcc @low
        inc index2+1
        clc
@low:   adc lowtr
        sta varpnt
        lda index2+1
        adc lowtr+1
        sta varpnt+1
        tay
        lda varpnt
        rts
@outside:
        jmp err_subscript

;; element_size
element_size:
        lda #3
        bit valtyp
        bmi @done
        lda #2
        bit intflg
        bmi @done
        lda #5
@done:  rts
; index2 becomes index2 times index. Keeps X and Y.
multiply_words:
        txa
        pha
        tya
        pha
        lda #0
        sta $5a
        sta $5b
        ldx #16
@next:  asl $5a
        rol $5b
        bcs @over
        asl index2
        rol index2+1
        bcc @zero
        clc
        lda $5a
        adc index
        sta $5a
        lda $5b
        adc index+1
        sta $5b
        bcs @over
@zero:  dex
        bne @next
        lda $5a
        sta index2
        lda $5b
        sta index2+1
        pla
        tay
        pla
        tax
        rts
@over:  jmp err_memory

;; dim
dim:    lda #$80
        sta dimflg
        jsr find_or_make
        lda #0
        sta dimflg
        jsr chrgot
        beq @done
        jsr need_comma
        jmp dim
@done:  rts

;; let
let:    jsr find_or_make
        sta forpnt
        sty forpnt+1
        lda #$b2
        jsr need
        lda varnam+1
        pha
        lda varnam
        pha
        lda intflg
        pha
        lda valtyp
        pha
        jsr eval
        pla
        eor valtyp
        bne @type
        pla
        sta intflg
        pla
        sta varnam
        pla
        sta varnam+1
        jmp assign
@type:  jmp err_type

;; assign
; The value to the variable at forpnt, of the type in intflg and valtyp.
assign: bit valtyp
        bmi @string
        bit intflg
        bmi @integer
        ldx forpnt
        ldy forpnt+1
        jmp pack
@integer:
        jsr to_word
        ldy #0
        lda facho+2
        sta (forpnt),y
        iny
        lda facho+3
        sta (forpnt),y
        rts
@string:
        jmp assign_string

;; variable_value
variable_value:
        jsr find_value
        bit valtyp
        bmi @string
        bit intflg
        bmi @integer
        ldx varnam
        cpx #'T'
        beq @time
        cpx #'S'
        bne @number
        ldx varnam+1
        cpx #'T'
        bne @number
        jsr $ffb7
        tay
        jmp float_byte
@time:  ldx varnam+1
        cpx #'I'
        bne @number
        jsr $ffde
        sty facho+1
        stx facho+2
        sta facho+3
        lda #0
        sta facho
        sta facsgn
        lda #$a0
        sta fac
        lda #0
        sta facov
        jmp normalise
@number:
        jmp unpack
@integer:
        ldy #0
        lda (varpnt),y
        tax
        iny
        lda (varpnt),y
        tay
        txa
        jmp float_signed
@string:
        sta facho+2
        sty facho+3
        lda varnam
        cmp #'T'
        bne @done
        lda varnam+1
        cmp #'I'+$80
        bne @done
        jmp clock_text
@done:  rts

;; clock
; TI$: six digits from the jiffies, and back.
clock_text:
        lda #6
        jsr string_space
        jsr $ffde
        sta temp1
        stx temp1+1
        sty temp1+2
        ldy #0
        ldx #0
@digit: lda #'0'
        sta charac
@count: sec
        lda temp1
        sbc clock_units,x
        sta index
        lda temp1+1
        sbc clock_units+1,x
        sta index+1
        lda temp1+2
        sbc clock_units+2,x
        bcc @store
        sta temp1+2
        lda index
        sta temp1
        lda index+1
        sta temp1+1
        inc charac
        bne @count
@store: lda charac
        sta (frespc),y
        inx
        inx
        inx
        iny
        cpy #6
        bne @digit
        jmp push_string
clock_units:
        .byte $80,$f5,$20, $c0,$4b,$03, $a0,$8c,$00, $10,$0e,$00, $58,$02,$00, $3c,$00,$00

;; set_clock_text
set_clock_text:
        jsr free_string
        cmp #6
        bne @wrong
        ldy #0
        sty temp1
        sty temp1+1
        sty temp1+2
        ldx #0
@digit: lda (index),y
        sec
        sbc #'0'
        cmp #10
        bcs @wrong
        sta charac
@add:   dec charac
        bmi @next
        clc
        lda temp1
        adc clock_units,x
        sta temp1
        lda temp1+1
        adc clock_units+1,x
        sta temp1+1
        lda temp1+2
        adc clock_units+2,x
        sta temp1+2
        jmp @add
@next:  inx
        inx
        inx
        iny
        cpy #6
        bne @digit
        lda temp1
        ldx temp1+1
        ldy temp1+2
        jmp $ffdb
@wrong: jmp err_quantity
