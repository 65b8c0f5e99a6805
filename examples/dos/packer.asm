; A packer for EXE files: the packed file moves itself out of the way, unpacks, relocates and starts the original program.
; PACKER reads SEGMENTS.EXE and writes PACKED.EXE. Runs of a byte are packed; 24,000 bytes at most.
mostBytes equ 24000
        mov ax,3d00h
        mov dx,from
        int 21h
        jc fail
        mov bx,ax
        mov ah,3fh
        mov cx,mostBytes
        mov dx,input
        int 21h
        mov [size],ax
        mov ah,3eh
        int 21h
        cmp word [input],5a4dh
        jne fail
        mov bx,[input+8]        ; where its image begins, and how long it is
        shl bx,4
        mov bp,[size]
        sub bp,bx
        lea ax,[bp+15]
        shr ax,4
        mov [unpacked],ax
        lea si,[input+bx]
        mov di,packed
        add bp,si               ; its end

; Literals are counted at BX; three equal bytes and more become a run.
newRun: mov bx,di
        mov byte [bx],0
        inc di
scan:   cmp si,bp
        jae finish
        mov al,[si]
        mov cx,bp
        sub cx,si
        cmp cx,130
        jbe .count
        mov cx,130
.count: mov dx,cx
        push di
        mov di,si
        repe scasb
        jne .short
        inc di
.short: mov cx,di
        pop di
        sub cx,si
        dec cx                  ; so many are equal
        cmp cx,dx
        jbe .fits
        mov cx,dx
.fits:  cmp cx,3
        jb literal
        add si,cx
        cmp byte [bx],0
        jne .after
        dec di                  ; no literals before it
.after: add cl,125
        xchg al,cl
        stosb
        mov al,cl
        stosb
        jmp newRun
literal: movsb
        inc byte [bx]
        cmp byte [bx],127
        jb scan
        jmp newRun
finish: cmp byte [bx],0         ; an empty count is the end
        je .marked
        mov byte [di],0
        inc di
.marked: mov cx,[input+6]       ; its relocations
        mov si,[input+24]
        add si,input
        add cx,cx
        rep movsw
        lea ax,[di+15]          ; the part that unpacks begins at a paragraph
        sub ax,packed
        shr ax,4
        mov [packedSize],ax
        mov di,ax
        shl di,4
        add di,packed
        mov ax,[input+6]        ; tell it what it needs
        mov [count],ax
        mov ax,[input+14]
        mov [oldStack+2],ax
        mov ax,[input+16]
        mov [oldStack],ax
        mov ax,[input+20]
        mov [oldStart],ax
        mov ax,[input+22]
        mov [oldStart+2],ax
        mov si,unpacker
        mov cx,unpackerEnd-unpacker
        rep movsb
        mov cx,di               ; the new header
        sub cx,packed-32
        mov [header+2],cx
        and word [header+2],511
        lea ax,[ecx+511]
        shr ax,9
        mov [header+4],ax
        mov ax,[packedSize]
        mov [header+22],ax
        add ax,(unpackerEnd-unpacker+15)/16
        mov dx,ax               ; paragraphs of the new image
        add ax,[unpacked]
        inc ax
        mov [header+14],ax
        add ax,20h
        sub ax,dx
        mov [header+10],ax
        mov si,[unpacked]       ; as much memory as the old one wanted
        add si,[input+10]
        sub si,dx
        jbe .enough
        cmp si,ax
        jbe .enough
        mov [header+10],si
.enough: push cx
        mov ah,3ch
        xor cx,cx
        mov dx,target
        int 21h
        pop cx
        jc fail
        mov bx,ax
        mov ah,40h
        mov dx,header
        push cx
        mov cx,32
        int 21h
        pop cx
        sub cx,32
        mov ah,40h
        mov dx,packed
        int 21h
        mov ah,3eh
        int 21h
        mov ah,9
        mov dx,done
        int 21h
        mov ax,4c00h
        int 21h
fail:   mov ah,9
        mov dx,sorry
        int 21h
        mov ax,4c01h
        int 21h

; Lies at the end of the packed program, in its own segment. First it moves the whole program up.
unpacker:
        push es                 ; the prefix
        mov bx,cs
        db 81h, 0ebh            ; sub bx,packedSize
packedSize: dw 0
        db 0b8h                 ; mov ax,unpacked
unpacked: dw 0
        add ax,bx
        inc ax
        mov ds,bx
        mov es,ax
        mov cx,cs
        sub cx,bx
        add ax,cx
        push ax                 ; where it is going to be
        shl cx,4
        add cx,unpackerEnd-unpacker
        mov si,cx
        dec si
        mov di,si
        std
        rep movsb
        cld
        mov ax,moved-unpacker
        push ax
        retf
moved:  push es
        pop ds
        mov es,bx
        xor si,si
        xor di,di
        xor cx,cx
.next:  lodsb
        mov cl,al
        or al,al
        jz .relocate
        js .run
        rep movsb
        jmp .next
.run:   sub cl,125
        lodsb
        rep stosb
        jmp .next
.relocate: mov cx,[cs:count-unpacker]
        jcxz .start
.each:  lodsw
        mov di,ax
        lodsw
        add ax,bx
        mov es,ax
        add [es:di],bx
        loop .each
.start: pop ax
        mov ds,ax
        mov es,ax
        mov ax,[cs:oldStack-unpacker+2]
        add ax,bx
        mov cx,[cs:oldStack-unpacker]
        mov ss,ax
        mov sp,cx
        add bx,[cs:oldStart-unpacker+2]
        push bx
        push word [cs:oldStart-unpacker]
        xor ax,ax
        retf
count   dw 0
oldStack dw 0, 0
oldStart dw 0, 0
unpackerEnd:

from    db 'SEGMENTS.EXE',0
target  db 'PACKED.EXE',0
done    db 'packed',13,10,'$'
sorry   db 'SEGMENTS.EXE is not here, or no EXE file.',13,10,'$'
header  dw 5a4dh, 0, 0, 0, 2, 0, 0ffffh, 0, 200h, 0, 0, 0, 1ch, 0, 0, 0
section .bss
size    resw 1
input   resb mostBytes
packed  resb 28000
