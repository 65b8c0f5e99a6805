; A program with overlays: EXEC with AL = 3 loads two parts into the same memory in turn, one of them with a relocation.
        mov sp,ownStack
        mov ah,4ah
        mov bx,ownStack+15
        shr bx,4
        int 21h
        mov si,overlays         ; as an installation would, it first writes them
write:  mov dx,[si]
        mov ah,3ch
        xor cx,cx
        int 21h
        jc fail
        mov bx,ax
        mov dx,[si+2]
        mov cx,[si+4]
        mov ah,40h
        int 21h
        mov ah,3eh
        int 21h
        add si,6
        cmp word [si],0
        jne write
        mov ah,48h
        mov bx,20h
        int 21h
        jc fail
        mov [block],ax          ; loaded there, and relocated for there
        mov [block+2],ax
        mov [entry+2],ax
        mov word [result],1
        mov cx,5
turns:  push cx
        mov dx,name1            ; adds 10, and writes its name
        mov word [entry],0
        call useOverlay
        mov dx,name2            ; multiplies by 3
        mov word [entry],0
        call useOverlay
        pop cx
        loop turns
        mov ax,[result]         ; ((((1+10)*3+10)*3+10)*3+10)*3+10)*3
        call decimal
        mov ax,4c00h
        int 21h
useOverlay: mov ax,cs
        mov es,ax
        mov ax,4b03h
        mov bx,block
        int 21h
        jc fail
        mov ax,[result]
        call far [entry]
        mov [result],ax
        ret
fail:   mov dx,sorry
        mov ah,9
        int 21h
        mov ax,4c01h
        int 21h
decimal: xor dx,dx
        mov cx,10
        div cx
        or ax,ax
        jz .last
        push dx
        call decimal
        pop dx
.last:  add dl,'0'
        mov ah,2
        int 21h
        ret

part1:  push ax                 ; plain bytes, loaded as they are
        push ds
        push cs
        pop ds
        mov dx,part1Text-part1
        mov ah,9
        int 21h
        pop ds
        pop ax
        add ax,10
        retf
part1Text db 'one $'
part1End:

part2:  dw 5a4dh, part2End-part2, 1, 1, 2, 0, 0ffffh, 0, 0, 0, 0, 0, 1ch, 0
        dw part2Segment-part2Image, 0
part2Image:
        push ds
        push ax
        db 0b8h                 ; mov ax,its own segment
part2Segment: dw (part2Data-part2Image)/16
        mov ds,ax
        mov dx,2
        mov ah,9
        int 21h
        pop ax
        mul word [0]
        pop ds
        retf
        times 32-($-part2Image) db 0
part2Data dw 3
        db 'two $'
part2End:

overlays dw name1, part1, part1End-part1
        dw name2, part2, part2End-part2
        dw 0
name1   db 'PART1.OVL',0
name2   db 'PART2.OVL',0
sorry   db 'An overlay cannot be loaded.$'
section .bss
block   resw 2
entry   resw 2
result  resw 1
        resb 512
ownStack:
