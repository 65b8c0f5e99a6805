; What the keys of a VIC-20 stand for, without a shift and with each.

;; keys
; One line is one column of the matrix.
keys_plain:
        .byte $31,$33,$35,$37,$39,$2b,$5c,$14   ; 1 3 5 7 9 + pound DEL
        .byte $5f,$57,$52,$59,$49,$50,$2a,$0d   ; arrow-left W R Y I P * RETURN
        .byte $04,$41,$44,$47,$4a,$4c,$3b,$1d   ; CTRL A D G J L ; right
        .byte $03,$01,$58,$56,$4e,$2c,$2f,$11   ; STOP SHIFT X V N , / down
        .byte $20,$5a,$43,$42,$4d,$2e,$01,$85   ; space Z C B M . SHIFT F1
        .byte $02,$53,$46,$48,$4b,$3a,$3d,$86   ; C= S F H K : = F3
        .byte $51,$45,$54,$55,$4f,$40,$5e,$87   ; Q E T U O @ arrow-up F5
        .byte $32,$34,$36,$38,$30,$2d,$13,$88   ; 2 4 6 8 0 - HOME F7
        .byte $ff
keys_shift:
        .byte $21,$23,$25,$27,$29,$db,$a9,$94
        .byte $5f,$d7,$d2,$d9,$c9,$d0,$c0,$8d
        .byte $04,$c1,$c4,$c7,$ca,$cc,$5d,$9d
        .byte $83,$01,$d8,$d6,$ce,$3c,$3f,$91
        .byte $a0,$da,$c3,$c2,$cd,$3e,$01,$89
        .byte $02,$d3,$c6,$c8,$cb,$5b,$3d,$8a
        .byte $d1,$c5,$d4,$d5,$cf,$ba,$de,$8b
        .byte $22,$24,$26,$28,$30,$dd,$93,$8c
        .byte $ff
keys_logo:
        .byte $21,$23,$25,$27,$29,$a6,$a8,$94
        .byte $5f,$b3,$b2,$b7,$a2,$af,$df,$8d
        .byte $04,$b0,$ac,$a5,$b5,$b6,$5d,$9d
        .byte $83,$01,$bd,$be,$aa,$3c,$3f,$91
        .byte $a0,$ad,$bc,$bf,$a7,$3e,$01,$89
        .byte $02,$ae,$bb,$b4,$a1,$5b,$3d,$8a
        .byte $ab,$b1,$a3,$b8,$b9,$a4,$de,$8b
        .byte $22,$24,$26,$28,$30,$dc,$93,$8c
        .byte $ff
keys_control:
        .byte $90,$1c,$9c,$1f,$12,$ff,$ff,$ff
        .byte $06,$ff,$12,$ff,$ff,$ff,$ff,$ff
        .byte $ff,$ff,$ff,$ff,$ff,$ff,$ff,$ff
        .byte $ff,$ff,$ff,$ff,$ff,$ff,$ff,$ff
        .byte $ff,$ff,$ff,$ff,$ff,$ff,$ff,$ff
        .byte $ff,$ff,$ff,$ff,$ff,$ff,$ff,$ff
        .byte $ff,$ff,$ff,$ff,$ff,$ff,$ff,$ff
        .byte $05,$9f,$1e,$9e,$92,$ff,$ff,$ff
        .byte $ff
