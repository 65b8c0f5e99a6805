import { describe, expect, test } from 'vitest';
import { screenCodeToUnicode } from '../../../formats/commodore/basic/petscii.ts';
import { tokenise } from '../../../formats/commodore/basic/tokenise.ts';
import { CommodoreDisk } from '../../../formats/commodore/media/commodore-disk.ts';
import { SectorImage } from '../../../formats/commodore/media/sector-image.ts';
import { C64Board } from '../c64/c64-board.ts';
import { c64Layout } from '../c64/c64-state.ts';
import { C64Machine } from '../c64/machine/c64-machine.ts';
import { bareHost } from '../machine/host-testing.ts';
import { c64Roms } from '../roms/c64-roms.generated.ts';

const never = new AbortController().signal;
const wallMs = 60_000;
const host = bareHost();

/** A machine at its prompt; booted once for all tests. */
let booted: Uint8Array | undefined;
async function machine(): Promise<C64Machine> {
  const made = new C64Machine(new C64Board({ roms: c64Roms }), host, []);
  if (booted === undefined) {
    await made.control.run({ frames: 150, wallMs }, never);
    booted = made.control.board.snapshot();
  }
  made.control.board.restore(booted);
  made.control.replaced();
  return made;
}

const codeLength = 400;
const codeByte = (at: number) => (at * 11 + 1) & 255;

function work(): CommodoreDisk {
  const disk = CommodoreDisk.create('d64', 'WORK', 'FP');
  disk.write('CODE', Uint8Array.of(0x00, 0xc0, ...Array.from({ length: codeLength }, (_, at) => codeByte(at))));
  disk.write('HELLO', tokenise('10 PRINT "SO IT RUNS"\n').bytes);
  return disk;
}

function attach({ control }: C64Machine, disk = work()): void {
  control.input({ type: 'attach', unit: 8, image: disk.image.bytes, readOnly: false });
}

const run = ({ control }: C64Machine, limits: object) => control.run({ wallMs, ...limits }, never);

function screen({ control }: C64Machine): string {
  const codes = [...control.board.ram.subarray(0x400, 0x7e8)];
  return codes.map((code) => screenCodeToUnicode(code & 127)).join('');
}

/** Puts text into the keyboard's buffer, as it fits: much faster than fingers. */
async function put(machine: C64Machine, text: string): Promise<void> {
  const { control } = machine;
  for (let at = 0; at < text.length; at += 10) {
    const bytes = Uint8Array.from(text.slice(at, at + 10), (character) => character.charCodeAt(0));
    control.input({ type: 'poke', bank: 'ram', address: 0x277, bytes });
    control.input({ type: 'poke', bank: 'ram', address: 0xc6, bytes: Uint8Array.of(bytes.length) });
    for (let count = 0; count < 100 && control.board.ram[0xc6] !== 0; count += 1) await run(machine, { frames: 1 });
  }
}

/** Enters a line and waits until the prompt stands there once more. */
async function enter(machine: C64Machine, line: string): Promise<string> {
  const prompts = () => screen(machine).split('READY.').length;
  const before = prompts();
  await put(machine, `${line}\r`);
  for (let count = 0; count < 200 && prompts() === before; count += 1) await run(machine, { frames: 5 });
  return screen(machine);
}

const same = (a: Uint8Array | undefined, b: Uint8Array | undefined) =>
  Buffer.from(a ?? []).equals(b ?? Uint8Array.of(1));

/** The VIC-II's own words may differ where it draws late. */
function withoutVideo(state: Uint8Array): Uint8Array {
  return state.slice().fill(0, c64Layout.offsets.vic, c64Layout.offsets.cia1);
}

describe('through the KERNAL', () => {
  test('without a drive, without the file', async () => {
    const c64 = await machine();
    expect(await enter(c64, 'LOAD"X",8')).toContain('?DEVICE NOT PRESENT');
    attach(c64);
    const shown = await enter(c64, 'LOAD"X",8');
    expect(shown).toContain('?FILE NOT FOUND');
    expect(c64.control.board.drives.ledOf(8)).toBe('blinking');
    expect((await enter(c64, 'LOAD"CODE",9')).split('?DEVICE NOT PRESENT')).toHaveLength(3);
  });

  test('the directory is loaded and listed', async () => {
    const c64 = await machine();
    attach(c64);
    await enter(c64, 'LOAD"$",8');
    const shown = await enter(c64, 'LIST');
    expect(shown).toMatch(/0 "WORK {12}" FP 2A/);
    expect(shown).toMatch(/2 {4}"CODE" {13}PRG/);
    expect(shown).toMatch(/661 BLOCKS FREE\./);
  });

  test('machine code goes where it belongs, BASIC runs', async () => {
    const c64 = await machine();
    attach(c64);
    await enter(c64, 'LOAD"H?L*",8');
    expect(await enter(c64, 'RUN')).toContain('SO IT RUNS');
    await enter(c64, 'LOAD"*",8,1');
    const { ram, drives } = c64.control.board;
    expect(same(ram.slice(0xc000, 0xc000 + codeLength), work().read('CODE').slice(2))).toBe(true);
    expect(drives.statusOf(8)).toBe('00, OK,00,00');
  });

  test('a program is saved, and again only with @', async () => {
    const c64 = await machine();
    attach(c64);
    const { drives } = c64.control.board;
    await c64.keyboard.type('1 PRINT 1\n', never);
    await enter(c64, 'SAVE"MINE",8');
    const saved = new CommodoreDisk(new SectorImage(drives.image(8) ?? new Uint8Array()));
    expect([...saved.read('MINE')]).toEqual([...tokenise('1 PRINT 1\n').bytes]);
    await enter(c64, 'SAVE"MINE",8');
    expect(drives.statusOf(8)).toBe('63, FILE EXISTS,00,00');
    await put(c64, '2 PRINT 2\r');
    await enter(c64, 'SAVE"@:MINE",8');
    const again = new CommodoreDisk(new SectorImage(drives.image(8) ?? new Uint8Array()));
    expect([...again.read('MINE')]).toEqual([...tokenise('1 PRINT 1\n2 PRINT 2\n').bytes]);
    expect(again.freeBlocks).toBe(saved.freeBlocks);
  });

  test('a program writes and reads a file and asks the error channel', async () => {
    const c64 = await machine();
    attach(c64);
    const program = [
      '10 OPEN15,8,15:OPEN2,8,2,"OUT,S,W"',
      '20 FORI=1TO3:PRINT#2,"LINE";I:NEXT:CLOSE2',
      '30 OPEN2,8,2,"OUT":FORI=1TO3:INPUT#2,A$:PRINTA$;ST:NEXT:CLOSE2',
      '40 PRINT#15,"S:OUT"',
      '50 INPUT#15,A,B$,C,D:PRINTA;B$;C;D',
      '60 GET#15,A$:PRINTA$;:IFST=0THEN60',
    ].join('\n');
    const source = { name: 'test', format: 'basic', bytes: new TextEncoder().encode(program) };
    await c64.program.load(source, false, never);
    const shown = await enter(c64, 'RUN');
    expect(shown).toMatch(/LINE 1 {2}0 +LINE 2 {2}0 +LINE 3 {2}64/);
    expect(shown).toMatch(/1 FILES SCRATCHED 1 {2}0 +00, OK,00,00/);
  });
});

describe('time', () => {
  test('a snapshot in the middle of LOAD goes on the same way, here, elsewhere and with every chip in every cycle', async () => {
    const c64 = await machine();
    attach(c64);
    const { board } = c64.control;
    await put(c64, 'LOAD"CODE",8,1\r');
    for (let count = 0; board.ram[0xc000 + 200] !== codeByte(200) && count < 500; count += 1) board.runCycles(2001);
    const middle = board.snapshot();
    expect(board.drives.ledOf(8)).toBe('on');
    board.runCycles(500_000);
    const end = board.snapshot();
    expect(board.ram[0xc000 + codeLength - 1]).toBe(codeByte(codeLength - 1));
    board.restore(middle);
    board.runCycles(500_000);
    expect(same(board.snapshot(), end)).toBe(true);
    for (const eager of [false, true]) {
      const other = new C64Board({ roms: c64Roms, eager });
      other.drives.remember(work().image.bytes);
      other.restore(middle);
      other.runCycles(500_000);
      expect(same(withoutVideo(other.snapshot()), withoutVideo(end))).toBe(true);
      expect(eager || same(other.snapshot(), end)).toBe(true);
    }
  });

  test('going back undoes what was written, going on writes it again', async () => {
    const c64 = await machine();
    attach(c64);
    const { board } = c64.control;
    const original = board.drives.image(8);
    await put(c64, '1 PRINT 1\r');
    const before = board.cycles;
    await enter(c64, 'SAVE"MINE",8');
    const after = { cycles: board.cycles, state: board.snapshot(), image: board.drives.image(8) };
    expect(same(after.image, original)).toBe(false);
    await run(c64, { back: true, cycles: board.cycles - before });
    expect(same(board.drives.image(8), original)).toBe(true);
    await run(c64, { cycles: after.cycles - board.cycles });
    expect(same(board.drives.image(8), after.image)).toBe(true);
    expect(same(board.snapshot(), after.state)).toBe(true);
  });

  test('a snapshot taken to another machine has its disks with it', async () => {
    const c64 = await machine();
    attach(c64);
    await c64.snapshots.save('here');
    c64.control.input({ type: 'disconnect', unit: 8 });
    const image = await c64.snapshots.pack('here');
    const other = await machine();
    await other.snapshots.unpack(image, 'elsewhere', never);
    expect(same(other.control.board.drives.image(8), work().image.bytes)).toBe(true);
    await c64.snapshots.save('gone');
    await other.snapshots.unpack(await c64.snapshots.pack('gone'), 'elsewhere', never);
    expect(other.control.board.drives.image(8)).toBeUndefined();
  });

  test('a snapshot whose state is laid out in another way is refused with the reason', async () => {
    const c64 = await machine();
    await c64.snapshots.save('here');
    const image = await c64.snapshots.pack('here');
    const state = image.parts.get('state') ?? new Uint8Array();
    const older = { ...image, parts: new Map([...image.parts, ['state', state.subarray(0, -64)]]) };
    await expect(c64.snapshots.unpack(older, 'elsewhere', never)).rejects.toThrow(/another version made it/);
  });

  test('power-up keeps the disk in the drive', async () => {
    const c64 = await machine();
    attach(c64);
    const { board } = c64.control;
    board.powerUp();
    expect(same(board.drives.image(8), work().image.bytes)).toBe(true);
    expect(board.drives.statusOf(8)).toMatch(/^73,/);
    expect(board.drives.isConnected(9)).toBe(false);
  });
});
