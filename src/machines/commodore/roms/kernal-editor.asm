; The screen editor. A logical line is one or more rows of the screen, up to line_columns characters: bit 7 of a row's cell in ldtb1
; is set where one begins. pnt is the start of the cursor's logical line, pntr the place in it, tblx the row the cursor is seen in.

;; geometry
*= at_io_base
io_base:
        ldx #<io_chips
        ldy #>io_chips
        rts
*= at_screen_size
screen_size:
        ldx #columns
        ldy #rows
        rts
*= at_plot
plot:   bcs @read
        stx tblx
        sty pntr
        jsr locate
@read:  ldx tblx
        ldy pntr
        rts

;; init_screen_cells
init_screen_cells:
        lda #0
        sta mode
        sta blnon
        sta dfltn
        sta crsw
        sta ndx
        lda #3
        sta dflto
        lda #<key_logic
        sta keylog
        lda #>key_logic
        sta keylog+1
        lda #10
        sta xmax
        lda #4
        sta kount
        lda #text_color
        sta color
        lda #16
        sta delay
        lda #12
        sta blnct
        sta blnsw
        jmp clear_screen

;; clear_screen
*= at_clear_screen
clear_screen:
        jmp clear_rows

;; clear_rows
clear_rows:
        ldx #0
@row:   lda row_high,x
        ora hibase
        ora #$80
        sta ldtb1,x
        inx
        cpx #rows
        bne @row
        lda #$80
        sta ldtb1,x
        dex
@clear: jsr clear_row
        dex
        bpl @clear
home:   lda #0
        sta pntr
        sta tblx
; Finds the logical line of the row at tblx; pntr is a column of that row on entry.
locate: ldx tblx
@back:  lda ldtb1,x
        bmi @start
        lda pntr
        clc
        adc #columns
        sta pntr
        dex
        bpl @back
        inx
@start: jsr point_at_row
        lda #columns-1
@more:  cpx #rows-1
        beq @set
        ldy ldtb1+1,x
        bmi @set
        clc
        adc #columns
        inx
        bne @more
@set:   sta lnmx
        jmp color_pointer

;; point_at_row
; pnt to row X.
point_at_row:
        lda row_low,x
        sta pnt
        lda row_high,x
        ora hibase
        sta pnt+1
        rts

;; home
*= at_home
        jmp home
*= at_locate
        jmp locate

;; row_high
row_high:
.if columns > 30
        .byte 0,0,0,0,0,0,0,1,1,1,1,1,1,2,2,2,2,2,2,2,3,3,3,3,3
.else
        .byte 0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,1,1,1
.endif

;; clear_row
; Row X becomes blanks in the current colour.
*= at_clear_row
        jmp clear_row

;; clear_row_code
clear_row:
        jsr point_at_row
        jsr color_pointer
        ldy #columns-1
@next:  lda #$20
        sta (pnt),y
        lda color
        sta (user),y
        dey
        bpl @next
        rts

;; put_char
; A at the cursor in colour X.
put_char:
        ldy pntr
        pha
        jsr color_pointer
        pla
        sta (pnt),y
        txa
        sta (user),y
        rts

;; color_pointer
*= at_color_pointer
color_pointer:
        lda pnt
        sta user
        lda pnt+1
        and #$03
        ora #color_page
        sta user+1
        rts

;; blink
; The cursor's share of the interrupt. A TED blinks on its own, where it is told.
.if plus4
blink:  lda blnsw
        bne cursor_off
        clc
        lda pnt
        adc pntr
        sta ted+13
        lda pnt+1
        adc #0
        and #$03
        sta ted+12
        rts
cursor_off:
        lda #$ff
        sta ted+12
        sta ted+13
        rts
.else
blink:  lda blnsw
        bne @done
        dec blnct
        bne @done
        lda #20
        sta blnct
        jsr color_pointer
        ldy pntr
        lda blnon
        bne @off
        inc blnon
        lda (user),y
        sta gdcol
        lda (pnt),y
        sta gdbln
        eor #$80
        ldx color
        jmp @put
@off:   dec blnon
        lda gdbln
        ldx gdcol
@put:   sta (pnt),y
        txa
        sta (user),y
@done:  rts
.endif

;; hide_cursor
hide_cursor:
        sei
        inc blnsw
.if plus4
        jsr cursor_off
        cli
        rts
.endif
        lda blnon
        beq @done
        lda #0
        sta blnon
        lda gdbln
        ldx gdcol
        jsr put_char
@done:  cli
        rts

;; scroll
; Moves everything up one row, or two where a logical line of two rows would lose its head.
*= at_scroll
        jmp scroll

;; scroll_code
scroll: lda shflag          ; CTRL slows it down
        and #$04
        beq @go
        ldx #0
        ldy #80
@wait:  dex
        bne @wait
        dey
        bne @wait
@go:    dec tblx
        dec lxsp
        ldx #0
@row:   jsr copy_up
        inx
        cpx #rows-1
        bne @row
        jsr clear_row
        lda row_high+rows-1
        ora hibase
        ora #$80
        sta ldtb1+rows-1
        lda ldtb1
        bpl @go
        rts

;; copy_up
; Row X from row X+1, with its place in the table of links.
copy_up:
        lda ldtb1+1,x
        jsr adopt_link
        txa
        tay
        iny
; Row X from row Y. LOAD and SAVE print messages, and go on using sal and eal.
copy_row:
        lda sal
        pha
        lda sal+1
        pha
        lda eal
        pha
        lda eal+1
        pha
        lda row_low,y
        sta sal
        sta eal
        lda row_high,y
        ora hibase
        sta sal+1
        and #$03
        ora #color_page
        sta eal+1
        jsr point_at_row
        jsr color_pointer
        ldy #columns-1
@next:  lda (sal),y
        sta (pnt),y
        lda (eal),y
        sta (user),y
        dey
        bpl @next
        pla
        sta eal+1
        pla
        sta eal
        pla
        sta sal+1
        pla
        sta sal
        rts
; Row X takes its link bit from A.
adopt_link:
        and #$80
        ora hibase
        ora row_high,x
        sta ldtb1,x
        rts

;; open_row
; Row X becomes free: it and those below move down, the last one is lost.
open_row:
        stx shown
        ldx #rows-1
@row:   cpx shown
        beq @clear
        lda ldtb1-1,x
        jsr adopt_link
        txa
        tay
        dey
        jsr copy_row
        dex
        bne @row
@clear: jmp clear_row

;; next_row
; To the row below the cursor's row, scrolling if it was the last.
next_row:
        inc tblx
        lda tblx
        cmp #rows
        bcc @done
        jsr scroll
@done:  rts

;; carriage_return
carriage_return:
        lda #0
        sta pntr
        sta insrt
        sta rvs
        sta qtsw
        ldx tblx
@last:  cpx #rows-1
        beq @next
        lda ldtb1+1,x
        bmi @next
        inx
        bne @last
@next:  stx tblx
        jsr next_row
        jmp locate

;; advance
; One place on, after a character was put. A line that is full grows by a row, or ends if it cannot.
advance:
        inc pntr
        lda lnmx
        cmp pntr
        bcs @inside
        lda pntr
        cmp #line_columns
        beq @full
        jsr grow
        inc tblx
        rts
@full:  jsr next_row
        lda #0
        sta pntr
        jmp locate
@inside:
        jsr column
        bne @done
        inc tblx
@done:  rts

;; grow
; The cursor's line gets one more row. Typing pushes what lies below down, printing takes the row as it is.
grow:   ldx tblx
@last:  cpx #rows-1
        beq @scroll
        lda ldtb1+1,x
        bmi @room
        inx
        bne @last
@scroll:
        jsr scroll
        jmp grow
@room:  inx
        lda autodn
        beq @link
        jsr open_row
@link:  lda ldtb1,x
        and #$7f
        sta ldtb1,x
        lda ldtb1+1,x
        ora #$80
        sta ldtb1+1,x
        lda lnmx
        clc
        adc #columns
        sta lnmx
@first: dex
        lda ldtb1,x
        bpl @first
        jsr point_at_row
        jmp color_pointer

;; screen_out
; A character to the screen. Keeps A, X and Y.
*= at_screen_out
        jmp screen_out

;; screen_out_code
screen_out:
        pha
        sta shown
        txa
        pha
        tya
        pha
        lda #0
        sta crsw
        lda shown
        jsr interpret
        pla
        tay
        pla
        tax
        pla
        clc
        rts

;; interpret
interpret:
        cmp #$0d
        beq @cr
        cmp #$8d
        beq @cr
        cmp #$ff
        bne @tested
        lda #$de            ; pi has two codes
@tested:
        tax
        and #$60
        beq @control
        txa
        jsr petscii_to_screen
        cpx #$22
        bne @put
        jsr toggle_quotes
        lda #$22
@put:   jmp print_code
@cr:    jmp carriage_return
@control:
        cpx #$14            ; DEL works inside quotes, not among inserted places
        bne @mode
        lda insrt
        bne @show
@act:   txa
        jmp control_code
@mode:  lda insrt
        beq @quotes
        cpx #$94
        beq @act
@show:  txa
        jsr show_control
        jmp print_reverse
@quotes:
        lda qtsw
        beq @act
        bne @show

;; print_code
; Puts a screen code with reverse and counts down inserted places.
print_code:
        ldx rvs
        beq print_plain
print_reverse:
        ora #$80
print_plain:
        ldx insrt
        beq @put
        dec insrt
@put:   ldx color
        jsr put_char
        jmp advance

;; toggle_quotes
toggle_quotes:
        lda qtsw
        eor #1
        sta qtsw
        rts
; Codes 0-31 and 128-159 as they look inside quotes, without the reverse bit.
show_control:
        cmp #$80
        bcc @low
        and #$1f
        ora #$40
@low:   rts
; Printable PETSCII in A to a screen code.
petscii_to_screen:
        cmp #$40
        bcc @same
        cmp #$60
        bcc @letter
        cmp #$80
        bcc @graphic
        cmp #$c0
        bcs @shifted
        and #$7f
        ora #$40
        rts
@letter:
        and #$1f
@same:  rts
@graphic:
        and #$5f
        rts
@shifted:
        and #$7f
        rts

;; control_code
; A code without a shape: a table of codes and one of places.
control_code:
        ldx #color_count-1
@color: cmp color_codes,x
        beq @found
        dex
        bpl @color
        ldx #control_count-1
@next:  cmp control_codes,x
        beq @jump
        dex
        bpl @next
        rts
@found:
.if plus4
        lda color_values,x
        sta color
.else
        stx color
.endif
        rts
@jump:  txa
        asl
        tax
        lda control_places+1,x
        pha
        lda control_places,x
        pha
        rts
color_codes:
        .byte $90,$05,$1c,$9f,$9c,$1e,$1f,$9e
.if color_count > 8
        .byte $81,$95,$96,$97,$98,$99,$9a,$9b
.endif
.if plus4
color_values:               ; what goes into attributes: brightness and hue
        .byte $00,$71,$32,$63,$44,$35,$46,$77,$48,$29,$5a,$6b,$5c,$6d,$2e,$5f
.endif
control_codes:
        .byte $11,$91,$1d,$9d,$13,$93,$12,$92,$14,$94,$0e,$8e,$08,$09
control_count = 14
control_places:
        .word cursor_down-1,cursor_up-1,cursor_right-1,cursor_left-1,home-1,clear_screen-1,reverse_on-1,reverse_off-1
        .word delete-1,insert-1,small_letters-1,big_letters-1,lock_set-1,unlock_set-1

;; reverse
reverse_on:
        lda #$12            ; the code itself, as programs find it
        .byte $2c
reverse_off:
        lda #0
        sta rvs
        rts
small_letters:
        lda letters
        ora #letter_bit
        bne set_letters
big_letters:
        lda letters
        and #$ff-letter_bit
set_letters:
        sta letters
        rts
lock_set:
        lda mode
        ora #$80
        bmi set_lock
unlock_set:
        lda mode
        and #$7f
set_lock:
        sta mode
        rts

;; cursor_moves
cursor_right:
        lda pntr
        cmp lnmx
        beq @line
        inc pntr
        jsr column
        bne @done
        inc tblx
@done:  rts
@line:  lda #0
        sta pntr
        jsr next_row
        jmp locate
cursor_left:
        lda pntr
        beq previous_end
        jsr column
        bne @same
        dec tblx
@same:  dec pntr
        rts
previous_end:
        lda tblx
        beq @done
        dec tblx
        lda #columns-1
        sta pntr
        jmp locate
@done:  rts

;; cursor_down
cursor_down:
        jsr column
        sta pntr
        jsr next_row
        jmp locate
cursor_up:
        lda tblx
        beq @done
        jsr column
        sta pntr
        dec tblx
        jmp locate
@done:  rts
; The column of the row the cursor is seen in.
column: lda pntr
@next:  cmp #columns
        bcc @done
        sbc #columns
        bcs @next
@done:  tax                 ; Z set in the first column
        rts

;; delete
delete: lda pntr
        bne @inside
        lda tblx
        beq @done
        jsr previous_end
        jsr color_pointer
        jmp @blank
@inside:
        jsr cursor_left
        jsr color_pointer
        ldy pntr
@next:  cpy lnmx
        beq @blank
        iny
        lda (pnt),y
        dey
        sta (pnt),y
        iny
        lda (user),y
        dey
        sta (user),y
        iny
        bne @next
@blank: ldy lnmx
        lda #$20
        sta (pnt),y
        lda color
        sta (user),y
@done:  rts

;; insert
insert: ldy lnmx
        lda (pnt),y
        cmp #$20
        bne @full
        cpy pntr
        bne @room
@full:  lda lnmx
        cmp #line_columns-1
        beq @done
        lda autodn          ; here a row is always opened
        pha
        lda #1
        sta autodn
        jsr grow
        pla
        sta autodn
@room:  ldy lnmx
        jsr color_pointer
@next:  cpy pntr
        beq @blank
        dey
        lda (pnt),y
        iny
        sta (pnt),y
        dey
        lda (user),y
        iny
        sta (user),y
        dey
        bpl @next
@blank: lda #$20
        sta (pnt),y
        lda color
        sta (user),y
        inc insrt
@done:  rts

;; key_from_buffer
*= at_key_from_buffer
key_from_buffer:
        sei
        ldy keyd
        ldx #0
@next:  lda keyd+1,x
        sta keyd,x
        inx
        cpx ndx
        bcc @next
        dec ndx
        tya
        cli
        clc
        rts

;; input
; A character of the line the user has typed, or of the screen. Keeps X and Y.
*= at_input
        jmp input_char

;; input_code
input_char:
        txa
        pha
        tya
        pha
        lda crsw
        bne @next
@wait:  lda ndx
        sta blnsw
        sta autodn
        beq @wait
        jsr hide_cursor
        jsr key_from_buffer
        cmp #$83
        beq @run
        cmp #$0d
        beq @line
        jsr screen_out
        jmp @wait
@run:   ldx #9
        sei
        stx ndx
@copy:  lda @words-1,x
        sta keyd-1,x
        dex
        bne @copy
        cli
        beq @wait
@words: .text "LOAD"
        .byte 13
        .text "RUN"
        .byte 13
@line:  sta crsw
        jsr line_begins
@next:  jsr screen_char
        bcc @done
        lda #0
        sta crsw
        sta qtsw
        jsr cursor_row
        lda dfltn
        cmp #3
        beq @cr
        lda dflto
        cmp #3
        beq @cr
        lda #$0d
        jsr screen_out
@cr:    lda #$0d
@done:  sta shown
        pla
        tay
        pla
        tax
        lda shown
        clc
        rts

;; cursor_row
; The row in which pntr lies, after a line was read.
cursor_row:
        ldx tblx
@back:  lda ldtb1,x
        bmi @start
        dex
        bpl @back
        inx
@start: lda pntr
@next:  cmp #columns
        bcc @set
        sbc #columns
        inx
        bne @next
@set:   stx tblx
        rts

;; line_begins
; RETURN was pressed: the line ends after its last character that is not a blank, and begins where input began if that is in it.
line_begins:
        ldy lnmx
@trim:  lda (pnt),y
        cmp #$20
        bne @found
        dey
        bpl @trim
@found: iny
        sty indx
        ldx #0
        stx autodn
        stx pntr
        stx qtsw
        ldx lxsp
        bmi @done
@back:  lda ldtb1,x
        bmi @same
        dex
        bpl @back
@same:  lda row_low,x
        cmp pnt
        bne @done
        lda row_high,x
        ora hibase
        cmp pnt+1
        bne @done
        lda lxsp+1
        sta pntr
@done:  rts
; The next character of the line in PETSCII, or carry set at its end.
screen_char:
        ldy pntr
        cpy indx
        bcs @end
        inc pntr
        lda (pnt),y
        tax
        and #$3f
        cpx #$80
        bcc @plain
        ldy qtsw            ; reversed inside quotes: a control code
        bne @shift
@plain: cmp #$20
        bcs @shift
        ora #$40
@shift: sta shown
        txa
        and #$40
        beq @quote
        lda shown
        ora #$80
        sta shown
@quote: lda shown
        cmp #$22
        bne @done
        jsr toggle_quotes
        lda #$22
@done:  clc
@end:   rts

;; row_low
*= at_row_low
row_low:
.if columns > 30
        .byte $00,$28,$50,$78,$a0,$c8,$f0,$18,$40,$68,$90,$b8,$e0,$08,$30,$58,$80,$a8,$d0,$f8,$20,$48,$70,$98,$c0
.else
        .byte $00,$16,$2c,$42,$58,$6e,$84,$9a,$b0,$c6,$dc,$f2,$08,$1e,$34,$4a,$60,$76,$8c,$a2,$b8,$ce,$e4
.endif
