import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeRack } from '../../../../test/make-rack.ts';
import type { Rack } from '../../../rack/rack.ts';
import { assemble } from '../assembler/assemble.ts';
import { dosKind } from '../dos-kind.ts';
import type { DosMachine } from './dos-machine.ts';

let folder = '';
let rack: Rack;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fp-sound-'));
  rack = makeRack([dosKind]);
});
afterEach(async () => {
  await rack.close();
  rmSync(folder, { recursive: true, force: true });
});

const signal = new AbortController().signal;

async function start(source: string, options: Record<string, unknown>): Promise<DosMachine> {
  const { bytes, errors } = assemble(`org 100h\n${source}`);
  expect(errors).toEqual([]);
  writeFileSync(join(folder, 'T.COM'), bytes);
  const program = join(folder, 'T.COM');
  return (await rack.start('dos', { program, speed: 1_000_000, ...options })).machine as DosMachine;
}

async function numbers(machine: DosMachine, chip: string, part = 'registers') {
  return (await machine.chips.chips.find(({ name }) => name === chip)?.read(part, 0))?.numbers;
}

const names = (machine: DosMachine) => machine.chips.chips.map(({ name }) => name);

/** Writes bytes to the DSP, as BX points to them, CX of them. */
const dsp = 'send: mov dx, 22ch\nlodsb\nout dx, al\nloop send\nret\n';

test('a program plays 16 bits of stereo on a Sound Blaster 16 by interrupts', async () => {
  const machine = await start(
    `mov ax, 250fh
     mov dx, handler
     int 21h
     mov ax, 9000h
     mov es, ax
     xor di, di
     mov cx, 1000
     fill: mov ax, 4000h
     stosw
     stosw
     mov ax, 0c000h
     stosw
     stosw
     loop fill
     in al, 21h
     and al, 7fh
     out 21h, al
     mov si, dma
     mov cx, 8
     port: lodsw
     mov dx, ax
     lodsb
     out dx, al
     loop port
     mov al, 1
     out 0d4h, al
     mov si, play
     mov cx, 7
     call send
     wait: hlt
     cmp byte [count], 3
     jb wait
     mov ax, [seen]
     mov es, ax
     hang: jmp hang
     handler: push ax
     push dx
     mov dx, 224h
     mov al, 82h
     out dx, al
     inc dx
     in al, dx
     mov [seen], al
     mov dx, 22fh
     in al, dx
     inc byte [count]
     mov al, 20h
     out 20h, al
     pop dx
     pop ax
     iret
     ${dsp}
     dma: dw 0d4h
     db 5
     dw 0d8h
     db 0
     dw 0d6h
     db 59h
     dw 0c4h
     db 0
     dw 0c4h
     db 80h
     dw 0c6h
     db 9fh
     dw 0c6h
     db 0fh
     dw 8bh
     db 8
     play: db 41h, 56h, 22h, 0b6h, 30h, 0e7h, 3
     count: db 0
     seen: dw 0`,
    { sound: 'sb16' },
  );
  await machine.control.run({ condition: 'es == 2', wallMs: 20_000 }, signal);
  expect(machine.control.system.guest.es).toBe(2);
  expect(await numbers(machine, 'sound_blaster')).toMatchObject({
    version_major: 4,
    bits: 16,
    stereo: true,
    dma16: 5,
    sample_hz: 22_050,
  });
  const { samples } = await machine.audio.capture(7, 20_000, signal);
  // Half up, half down, at a quarter of the rate of the pairs.
  const ups = samples.filter((value) => value > 2000).length;
  expect(ups / samples.length).toBeGreaterThan(0.4);
  expect(ups / samples.length).toBeLessThan(0.6);
  expect(names(machine)).toContain('opl');
});

test('a program finds an OPL3, and the environment names the card', async () => {
  const machine = await start(
    `mov dx, 388h
     in al, dx
     and al, 6
     mov ah, 0
     mov es, ax
     hang: jmp hang`,
    { sound: 'sbpro', commands: ['SET'] },
  );
  await machine.control.run({ frames: 2, wallMs: 20_000 }, signal);
  expect(machine.control.system.guest.es).toBe(0);
  expect(await numbers(machine, 'opl')).toMatchObject({ opl3: true });
  expect((await machine.screen.text())?.lines.join('\n')).toContain('BLASTER=A220 I7 D1 T4');
});

test('a Tandy plays a tone at C0h, and notes at 330h are heard', async () => {
  const machine = await start(
    `mov al, 8eh
     out 0c0h, al
     mov al, 0fh
     out 0c0h, al
     mov al, 90h
     out 0c0h, al
     mov dx, 331h
     mov al, 3fh
     out dx, al
     dec dx
     mov al, 90h
     out dx, al
     mov al, 60
     out dx, al
     mov al, 100
     out dx, al
     hang: jmp hang`,
    { sound: 'tandy' },
  );
  expect(names(machine).filter((name) => ['sound_blaster', 'opl', 'tandy', 'synth'].includes(name))).toEqual([
    'tandy',
    'synth',
  ]);
  const { samples } = await machine.audio.capture(7, 20_000, signal);
  expect(Math.max(...samples)).toBeGreaterThan(5000);
  expect(await numbers(machine, 'synth', 'notes')).toEqual({ notes: 1 });
  expect((await numbers(machine, 'tandy'))?.['registers']).toEqual([254, 0, 0, 15, 0, 15, 0, 15]);
});

test.for([
  ['the speaker', 'mov al, 3\nout 61h, al\n', 'in al, 61h\nout 61h, al\n'],
  ['a Tandy', 'mov al, 8eh\nout 0c0h, al\nmov al, 0fh\nout 0c0h, al\n', 'mov al, 90h\nout 0c0h, al\n'],
] as const)('%s is as loud while it is written to as when it is left alone', async ([, on, again]) => {
  const loudness = async (loop: string) => {
    const machine = await start(`${on}${again}hang: ${loop}jmp hang`, { sound: 'tandy' });
    const { samples } = await machine.audio.capture(7, 20_000, signal);
    return samples.subarray(100).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  };
  const alone = await loudness('');
  expect(alone).toBeGreaterThan(4000);
  expect(Math.abs((await loudness(again)) - alone)).toBeLessThan(alone / 10);
});

test('a Gravis Ultrasound is refused by name', async () => {
  await expect(start('ret', { sound: 'gravis' })).rejects.toThrow('Gravis Ultrasound is not emulated');
});

test.for([
  ['1fh', 2],
  ['7fh', 2.6],
  ['7dh', 4],
] as const)('what the DSP plays by command %s is told as ADPCM of %d bits', async ([command, bits]) => {
  const machine = await start(
    `mov al, 59h
     out 0bh, al
     mov al, 80h
     out 3, al
     out 3, al
     mov al, 1
     out 0ah, al
     mov si, play
     mov cx, 7
     call send
     xor ah, ah
     int 16h
     play: db 0d1h, 40h, 165, 48h, 0ffh, 3, ${command}
     ${dsp}`,
    {},
  );
  expect(await numbers(machine, 'sound_blaster')).toMatchObject({ playing: 'endless', adpcm_bits: bits });
  const chip = machine.chips.chips.find(({ name }) => name === 'sound_blaster');
  expect((await chip?.read('registers', 0))?.lines.join()).toContain(`ADPCM of ${bits} bits`);
});
