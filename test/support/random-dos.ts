import { createHash } from 'node:crypto';
import { scanCodes } from '../../src/chips/i8042/scan-codes.ts';
import { at, com, exit, label, short } from '../../src/machines/dos/board/com-testing.ts';
import { DosSystem, type ServicesState } from '../../src/machines/dos/board/dos-system.ts';
import { driveOf, noWires, pcOptions } from '../../src/machines/dos/board/system-testing.ts';
import { applyInput } from '../../src/machines/dos/machine/input-event.ts';
import { generator } from './random-c64.ts';

const instructionsPerSecond = 200_000;
/** 1/70 of a second, as tools count frames. */
const frameInstructions = Math.round(instructionsPerSecond / 70);
const keys = ['d', 'i', 'r', 'enter', 'v', 'e', 'space', 'c', 'l', 's', 'escape', 'backspace'];

/**
 * Draws dots in mode 13h at places that depend on keys, the mouse, both clocks, an operand that it overwrites and a
 * sine. Escape ends it, now and then.
 */
const dots = com([
  [0xb8, 0x13, 0x00, 0xcd, 0x10], // mov ax,13h / int 10h
  [0xb8, 0x00, 0xa0, 0x8e, 0xc0], // mov ax,A000h / mov es,ax
  label('again'),
  [0xb4, 0x01, 0xcd, 0x16, 0x74, short('none')], // mov ah,1 / int 16h / jz none
  [0xb4, 0x00, 0xcd, 0x16, 0x3c, 0x1b, 0x74, short('out')], // mov ah,0 / int 16h / cmp al,1Bh / jz out
  [0xa2, at('patch', 1)], // mov [patch+1],al
  label('none'),
  label('patch'),
  [0x04, 0x07, 0x30, 0x06, at('seed')], // add al,7 / xor [seed],al
  [0xb8, 0x03, 0x00, 0xcd, 0x33, 0x01, 0x0e, at('seed')], // mov ax,3 / int 33h / add [seed],cx
  [0xb4, 0x00, 0xcd, 0x1a, 0x01, 0x16, at('seed')], // mov ah,0 / int 1Ah / add [seed],dx
  [0xe4, 0x40, 0x00, 0x06, at('seed')], // in al,40h / add [seed],al
  [0xd9, 0x06, at('number'), 0xde, 0x06, at('seed')], // fld [number] / fiadd [seed]
  [0xd9, 0xfe, 0xd9, 0x1e, at('number')], // fsin / fstp [number]
  [0xa1, at('number'), 0x31, 0x06, at('seed')], // mov ax,[number] / xor [seed],ax
  [0xb9, 0x40, 0x00], // mov cx,64
  label('draw'),
  [0xa1, at('seed'), 0xba, 0x55, 0x62, 0xf7, 0xe2], // mov ax,[seed] / mov dx,25173 / mul dx
  [0x05, 0x19, 0x36, 0xa3, at('seed')], // add ax,13849 / mov [seed],ax
  [0x89, 0xc7, 0x26, 0x88, 0x25, 0xe2, short('draw')], // mov di,ax / mov es:[di],ah / loop draw
  [0xeb, short('again')], // jmp again
  label('out'),
  [0xf6, 0x06, at('seed'), 0x3f, 0x75, short('none')], // test [seed],3Fh / jnz none
  [0xb8, 0x03, 0x00, 0xcd, 0x10], // mov ax,3 / int 10h
  exit(),
  label('seed'),
  [0x34, 0x12],
  label('number'),
  [0x00, 0x00, 0x80, 0x3f],
]);

const loop = ':again\r\ndots\r\npause\r\ndir\r\ngoto again\r\n';

interface SavedRandomDos {
  readonly state: Uint8Array;
  readonly services: ServicesState;
}

/** A DOS PC with a program, random keys and movements of the mouse, the same for the same seed and frame. */
export class RandomDos {
  readonly system: DosSystem;
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
    this.system = new DosSystem(
      pcOptions({
        instructionsPerSecond,
        drives: new Map([[2, driveOf({ 'DOTS.COM': dots, 'LOOP.BAT': loop })]]),
        commands: ['LOOP'],
        environment: ['PATH=Z:\\;C:\\', 'PROMPT=$T$G'],
      }),
      noWires,
    );
  }

  runFrame(frame: number): void {
    const random = generator(this.#seed * 1_000_003 + frame);
    if (random(4) === 0) {
      const code = scanCodes[keys[random(keys.length)] ?? ''] ?? 0;
      applyInput(this.system, { type: 'key', code, down: random(2) === 0 });
    }
    if (random(16) === 0)
      applyInput(this.system, { type: 'mouse', dx: random(9) - 4, dy: random(9) - 4, buttons: random(4) });
    this.system.board.run(this.system.board.instructions + frameInstructions);
  }

  save(): SavedRandomDos {
    return { state: this.system.board.snapshot(), services: this.system.save() };
  }

  restore({ state, services }: SavedRandomDos): void {
    this.system.board.restore(state);
    this.system.restore(services);
  }

  hash(): string {
    return createHash('sha256').update(this.system.board.bytes).digest('hex').slice(0, 16);
  }
}
