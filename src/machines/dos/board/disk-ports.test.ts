import { expect, it } from 'vitest';
import { isoOf } from '../../../formats/cd/cd-testing.ts';
import type { Disc } from '../../../formats/cd/disc.ts';
import { assemble } from '../assembler/assemble.ts';
import { Disk } from '../drives/fat/disk.ts';
import { floppyFormats, formatVolume } from '../drives/fat/format.ts';
import { discInMemory } from '../drives/open-disc.ts';
import { SystemBench } from './system-testing.ts';

const results = 0x90000;

function bench(source: string, disks: ReadonlyMap<number, Disk>, disc?: Disc): SystemBench {
  const { bytes, errors } = assemble(`org 100h\n${source}`);
  expect(errors).toEqual([]);
  const made = new SystemBench({ 'T.COM': bytes }, ['T'], { disks, ...(disc && { cdLetters: [3] }) });
  if (disc) made.system.insertDisc(3, disc);
  return made.run();
}

it('a program reads and writes the sectors of a hard disk by IDE, and INT 13h sees the same', () => {
  const image = Uint8Array.from({ length: 64 * 63 * 512 }, (_, index) => (index >> 9) & 0xff);
  const disk = new Disk(image);
  const made = bench(
    `mov ax, 9000h
     mov es, ax
     mov si, read
     call issue
     xor di, di
     mov cx, 256
     mov dx, 1f0h
     rep insw
     mov si, write
     call issue
     push ds
     push es
     pop ds
     xor si, si
     mov cx, 256
     mov dx, 1f0h
     rep outsw
     pop ds
     call ready
     mov ax, 201h
     mov bx, 400h
     mov cx, 7
     mov dx, 80h
     int 13h
     ret
     issue: mov dx, 1f2h
     mov cx, 6
     next: lodsb
     out dx, al
     inc dx
     loop next
     ready: mov dx, 1f7h
     busy: in al, dx
     test al, 80h
     jnz busy
     ret
     read: db 1, 3, 0, 0, 0e0h, 20h
     write: db 1, 7, 0, 0, 0a0h, 30h`,
    new Map([[0x80, disk]]),
  );
  expect([made.byte(results), made.byte(results + 511)]).toEqual([3, 3]);
  expect([disk.read(6)[0], disk.read(6)[511], disk.read(7)[0]]).toEqual([3, 3, 7]);
  expect(made.byte(results + 0x400)).toBe(3);
});

it('a program reads and verifies a floppy by the 8272, DMA and IRQ 6, and writes what DOS then reads', () => {
  const disk = new Disk(formatVolume(floppyFormats['1.44M']));
  const made = bench(
    `mov ax, 250eh
     mov dx, handler
     int 21h
     in al, 21h
     and al, 0bfh
     out 21h, al
     mov dx, 3f7h
     xor al, al
     out dx, al
     mov dx, 3f2h
     mov al, 1ch
     out dx, al
     mov si, recalibrate
     mov cx, 2
     call send
     call await
     mov al, 8
     mov dx, 3f5h
     out dx, al
     in al, dx
     in al, dx
     mov al, 46h
     call setup
     mov si, read
     mov cx, 9
     call send
     call await
     call status
     mov ax, 9000h
     mov es, ax
     mov word [es:1feh], 1234h
     mov al, 42h
     call setup
     mov si, read
     mov cx, 9
     call send
     call await
     call status
     mov al, 4ah
     call setup
     mov si, write
     mov cx, 9
     call send
     call await
     call status
     mov eax, [results]
     mov [es:400h], eax
     ret
     setup: out 0bh, al
     xor al, al
     out 0ch, al
     out 4, al
     out 4, al
     mov al, 0ffh
     out 5, al
     mov al, 1
     out 5, al
     mov al, 9
     out 81h, al
     mov al, 2
     out 0ah, al
     ret
     send: mov dx, 3f4h
     poll: in al, dx
     and al, 0c0h
     cmp al, 80h
     jne poll
     inc dx
     lodsb
     out dx, al
     loop send
     ret
     await: hlt
     cmp byte [flag], 0
     je await
     mov byte [flag], 0
     ret
     status: mov dx, 3f5h
     in al, dx
     mov bx, [place]
     mov [results + bx], al
     inc word [place]
     drain: dec dx
     in al, dx
     inc dx
     test al, 40h
     jz drained
     in al, dx
     jmp drain
     drained: ret
     handler: push ax
     mov byte [flag], 1
     mov al, 20h
     out 20h, al
     pop ax
     iret
     flag: db 0
     place: dw 0
     results: times 3 db 0ffh
     recalibrate: db 7, 0
     read: db 0e6h, 0, 0, 0, 1, 2, 18, 1bh, 0ffh
     write: db 0c5h, 4, 0, 1, 5, 2, 18, 1bh, 0ffh`,
    new Map([[0, disk]]),
  );
  expect([made.byte(results), made.word(results + 0x0b)]).toEqual([disk.read(0)[0], 512]);
  expect([...disk.read(18 + 4).subarray(0x1fe)]).toEqual([0x34, 0x12]);
  // Status 0 of reading, of verifying, which moved nothing, and of writing to head 1.
  expect([0x400, 0x401, 0x402].map((at) => made.byte(results + at))).toEqual([0, 0, 4]);
});

it('the interrupt of the floppy controller is noted at 40:3E where no program handles it', () => {
  const made = bench(
    `in al, 21h
     and al, 0bfh
     out 21h, al
     mov ax, 40h
     mov es, ax
     mov byte [es:3eh], 0
     mov dx, 3f2h
     xor al, al
     out dx, al
     mov al, 1ch
     out dx, al
     waiting: test byte [es:3eh], 80h
     jz waiting
     mov ax, 9000h
     mov es, ax
     mov byte [es:0], 77h
     ret`,
    new Map([[0, new Disk(formatVolume(floppyFormats['1.44M']))]]),
  );
  expect(made.byte(results)).toBe(0x77);
});

it('a program reads a CD by packets and IRQ 15', () => {
  const iso = isoOf('PACKETS', { 'NAME.TXT': 'read by packets' });
  const made = bench(
    `mov ax, 2577h
     mov dx, handler
     int 21h
     in al, 0a1h
     and al, 7fh
     out 0a1h, al
     in al, 21h
     and al, 0fbh
     out 21h, al
     mov ax, 9000h
     mov es, ax
     xor di, di
     mov dx, 176h
     mov al, 0a0h
     out dx, al
     mov si, ready
     call packet
     call await
     mov dx, 171h
     in al, dx
     mov [es:2048], al
     mov si, read
     call packet
     call await
     mov dx, 174h
     in al, dx
     xchg al, ah
     inc dx
     in al, dx
     xchg al, ah
     mov cx, ax
     shr cx, 1
     mov dx, 170h
     rep insw
     call await
     mov dx, 177h
     in al, dx
     mov [es:2049], al
     ret
     packet: mov dx, 174h
     xor al, al
     out dx, al
     inc dx
     mov al, 8
     out dx, al
     mov dx, 177h
     mov al, 0a0h
     out dx, al
     busy: in al, dx
     test al, 88h
     jle busy
     mov dx, 170h
     mov cx, 6
     rep outsw
     ret
     await: hlt
     cmp byte [flag], 0
     je await
     mov byte [flag], 0
     ret
     handler: push ax
     push dx
     mov dx, 177h
     in al, dx
     mov byte [flag], 1
     mov al, 20h
     out 0a0h, al
     out 20h, al
     pop dx
     pop ax
     iret
     flag: db 0
     ready: times 12 db 0
     read: db 28h, 0, 0, 0, 0, 16, 0, 0, 1, 0, 0, 0`,
    new Map(),
    discInMemory('x', iso),
  );
  const sector = Uint8Array.from({ length: 2048 }, (_, index) => made.byte(results + index));
  expect(sector).toEqual(iso.slice(16 * 2048, 17 * 2048));
  // Switched on a moment ago; then all is well.
  expect([made.byte(results + 2048), made.byte(results + 2049)]).toEqual([0x64, 0x50]);
});
