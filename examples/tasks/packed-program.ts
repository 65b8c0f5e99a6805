import { assemble } from '../../src/machines/dos/assembler/assemble.ts';

const headerBytes = 32;
const [runMark, key] = [0xed, 0x5a];
/** Where the program is unpacked to, in paragraphs after the load module's start. */
const unpackedAt = 0x60;

/** Asks for a word, whose sum has to be right, and is rude if it is not. Offsets are those of its own segment. */
const program = `
org 0
start:  push cs
        pop ds
        mov dx, question
        mov ah, 9
        int 21h
        mov dx, line
        mov ah, 0ah
        int 21h
        call check
        jc wrong
        mov dx, welcome
        mov ah, 9
        int 21h
        mov ax, 4c00h
        int 21h
wrong:  mov dx, refusal
        mov ah, 9
        int 21h
        mov ax, 4c01h
        int 21h
check:  xor bx, bx
        xor cx, cx
        mov cl, [line+1]
        mov si, line+2
        jcxz done
next:   lodsb
        xor ah, ah
        rol bx, 3
        add bx, ax
        loop next
done:   cmp bx, 71a9h
        jne bad
        clc
        ret
bad:    stc
        ret
question db 'Which word is on page seven? $'
welcome db 13,10,'Welcome aboard.',13,10,'$'
refusal db 13,10,'That is not the word.',13,10,'$'
line    db 20, 0
        times 22 db 0
`;

/** Unpacks what follows it: bytes are disguised, runs are written as an escape, a count and a value. */
const stub = (packedBytes: number) => `
org 0
        mov ax, cs
        mov ds, ax
        add ax, ${unpackedAt}
        mov es, ax
        mov si, packed
        mov cx, ${packedBytes}
        xor di, di
        cld
next:   call fetch
        cmp al, ${runMark}
        jne plain
        call fetch
        mov dl, al
        call fetch
again:  stosb
        dec dl
        jnz again
        jmp short more
plain:  stosb
more:   or cx, cx
        jnz next
        push es
        xor ax, ax
        push ax
        retf
fetch:  lodsb
        xor al, ${key}
        dec cx
        ret
packed:
`;

/** An EXE file in which neither the texts nor the code of the program can be seen. */
export function packedProgram(): Uint8Array {
  const packed = pack(bytesOf(program));
  const module = Buffer.concat([bytesOf(stub(packed.length)), packed]);
  const file = Buffer.alloc(headerBytes + module.length);
  const words = {
    0: 0x5a4d,
    2: file.length % 512,
    4: Math.ceil(file.length / 512),
    8: headerBytes / 16,
    10: 0x200,
    12: 0xffff,
    14: 0x180,
    16: 0x400,
    24: 0x1c,
  };
  for (const [at, value] of Object.entries(words)) file.writeUInt16LE(value, Number(at));
  module.copy(file, headerBytes);
  return file;
}

function bytesOf(source: string): Uint8Array {
  const { bytes, errors } = assemble(source);
  if (errors.length > 0) throw new Error(errors.map(({ line, message }) => `line ${line}: ${message}`).join('\n'));
  return bytes;
}

function pack(bytes: Uint8Array): Uint8Array {
  const packed: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const value = bytes[at] ?? 0;
    let count = 1;
    while (count < 255 && bytes[at + count] === value) count++;
    if (count > 3 || value === runMark) packed.push(runMark, count, value);
    else packed.push(...Array.from({ length: count }, () => value));
    at += count;
  }
  return Uint8Array.from(packed, (value) => value ^ key);
}
