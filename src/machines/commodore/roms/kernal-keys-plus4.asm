; What the keys of a Plus/4 stand for, without a shift and with each.

;; keys
; One line is one column of the matrix.
keys_plain:
        .byte $14,$0d,$5c,$8c,$85,$89,$86,$40   ; DEL RETURN pound HELP F1 F2 F3 @
        .byte $33,$57,$41,$34,$5a,$53,$45,$01   ; 3 W A 4 Z S E SHIFT
        .byte $35,$52,$44,$36,$43,$46,$54,$58   ; 5 R D 6 C F T X
        .byte $37,$59,$47,$38,$42,$48,$55,$56   ; 7 Y G 8 B H U V
        .byte $39,$49,$4a,$30,$4d,$4b,$4f,$4e   ; 9 I J 0 M K O N
        .byte $11,$50,$4c,$91,$2e,$3a,$2d,$2c   ; down P L up . : - ,
        .byte $9d,$2a,$3b,$1d,$1b,$3d,$2b,$2f   ; left * ; right ESC = + /
        .byte $31,$13,$04,$32,$20,$02,$51,$03   ; 1 HOME CTRL 2 space C= Q STOP
        .byte $ff
keys_shift:
        .byte $94,$8d,$a9,$88,$8a,$87,$8b,$ba
        .byte $23,$d7,$c1,$24,$da,$d3,$c5,$01
        .byte $25,$d2,$c4,$26,$c3,$c6,$d4,$d8
        .byte $27,$d9,$c7,$28,$c2,$c8,$d5,$d6
        .byte $29,$c9,$ca,$5e,$cd,$cb,$cf,$ce
        .byte $11,$d0,$cc,$91,$3e,$5b,$dd,$3c
        .byte $9d,$c0,$5d,$1d,$1b,$5f,$db,$3f
        .byte $21,$93,$04,$22,$a0,$02,$d1,$83
        .byte $ff
keys_logo:
        .byte $94,$8d,$a8,$88,$8a,$87,$8b,$a4
        .byte $96,$b3,$b0,$97,$ad,$ae,$b1,$01
        .byte $98,$b2,$ac,$99,$bc,$bb,$a3,$bd
        .byte $9a,$b7,$a5,$9b,$bf,$b4,$b8,$be
        .byte $29,$a2,$b5,$30,$a7,$a1,$b9,$aa
        .byte $11,$af,$b6,$91,$3e,$5b,$dc,$3c
        .byte $9d,$df,$5d,$1d,$1b,$de,$a6,$3f
        .byte $81,$93,$04,$95,$a0,$02,$ab,$83
        .byte $ff
keys_control:
        .byte $ff,$ff,$1c,$ff,$ff,$ff,$ff,$ff
        .byte $1c,$17,$01,$9f,$1a,$13,$05,$ff
        .byte $9c,$12,$04,$1e,$03,$06,$14,$18
        .byte $1f,$19,$07,$9e,$02,$08,$15,$16
        .byte $12,$09,$0a,$92,$0d,$0b,$0f,$0e
        .byte $ff,$10,$0c,$ff,$ff,$1b,$ff,$ff
        .byte $ff,$ff,$1d,$ff,$1b,$06,$ff,$ff
        .byte $90,$ff,$ff,$05,$ff,$ff,$11,$ff
        .byte $ff
