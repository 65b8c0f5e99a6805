import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CommodoreDisk } from '../../src/formats/commodore/media/commodore-disk.ts';
import { TextMonitor } from '../../src/links/vice/text-monitor.ts';
import { commands, text, u32 } from '../../src/links/vice/wire.ts';
import type { MachineWith } from '../../src/machine/machine.ts';
import type { IndexedPicture } from '../../src/machine/screen.ts';
import { viceKind } from '../../src/machines/commodore/vice/vice-kind.ts';
import type { Rack } from '../../src/rack/rack.ts';
import { makeRack, settings } from '../make-rack.ts';
import { BinmonClient } from '../support/binmon-client.ts';
import { bareVice, hasVice } from '../support/real-vice.ts';
import { scriptedVice } from '../support/scripted-vice.ts';
import { never, patientMs } from './context.ts';

type Vice = MachineWith<
  'control' | 'cpu' | 'memory' | 'screen' | 'joystick' | 'program' | 'media' | 'monitor' | 'breakpoints'
>;

const runtimeDir = mkdtempSync(join(tmpdir(), 'fp-traps-'));
const romFolder = mkdtempSync(join(tmpdir(), 'fp-drives-'));
let rack: Rack;
beforeAll(() => {
  mkdirSync(join(romFolder, 'DRIVES'));
  for (const [name, size] of [
    ['dos1541-325302-01+901229-05.bin', 0x4000],
    ['dos1581-318045-02.bin', 0x8000],
  ] as const) {
    const rom = new Uint8Array(size).fill(0xea);
    rom.set([0x4c, 0x00, 0xc0, ...Buffer.from(name)], size - 0x4000);
    rom.set([0x00, 0xc0], size - 4);
    writeFileSync(join(romFolder, 'DRIVES', name), rom);
  }
  const withDrives = { ...settings, romFolders: [romFolder], allowMonitor: true };
  rack = makeRack([viceKind], {}, { runtimeDir, settings: withDrives });
});
afterAll(async () => {
  await rack.close();
  for (const folder of [runtimeDir, romFolder]) rmSync(folder, { recursive: true, force: true });
});

async function start(options: Record<string, unknown> = {}): Promise<Vice & { readonly handle: string }> {
  const { machine, handle } = await rack.start('vice', options);
  return Object.assign(machine, { handle }) as Vice & { handle: string };
}

const assembled = (vice: Vice, source: string) =>
  vice.program.load({ format: 'asm', bytes: new TextEncoder().encode(source), name: 'trap' }, true, never);
const raster = (line: number) =>
  ({ type: 'raster', address: BigInt(line), length: 1, logOnly: false, temporary: false }) as const;
const everyWhere = { wallMs: patientMs };

/** The pid of the VICE that was started last. */
function newestChild(): number {
  const all = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return Math.max(
    ...all.split('\n').flatMap((line) => (line.includes('-binarymonitor') ? [Number.parseInt(line, 10)] : [])),
  );
}

describe.skipIf(!hasVice)('a started x64sc', () => {
  test('is the same machine each time, though VICE runs before anybody is connected', async () => {
    const seen = [];
    for (let starts = 0; starts < 2; starts++) {
      const vice = await start({ boot: false });
      const { now } = vice.status();
      expect(now?.time).toBeLessThan(20);
      seen.push({ now, ram: Buffer.from(await vice.memory.peek('ram', 0n, 0x10000)).toString('base64') });
      await rack.stop(vice.handle, 'seen');
    }
    expect(seen[1]).toEqual(seen[0]);
  });

  test('what it prints goes into a file of its own, and not to an output of ours', async () => {
    const vice = await start({ boot: false });
    const pid = newestChild();
    expect(readlinkSync(`/proc/${pid}/fd/1`)).toBe('/dev/null');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const log = command[command.indexOf('-logfile') + 1] ?? '';
    expect(log.startsWith(runtimeDir)).toBe(true);
    await expect.poll(() => readFileSync(log, 'utf8')).toContain('Main CPU');
    await rack.stop(vice.handle, 'seen');
  });

  test('after a run of frames its picture is of one frame, within a frame of two', async () => {
    const vice = await start();
    // Another colour for each frame, from the first line that is seen on.
    await assembled(
      vice,
      '* = $c000\n sei\n lda #$0b\n sta $d011\nwait lda $d012\n bne wait\n lda $d011\n bmi wait\n inc $d020\nleave lda $d012\n beq leave\n jmp wait\n',
    );
    const colours = async () => new Set(((await vice.screen.picture()) as IndexedPicture).pixels);
    await vice.control.run({ frames: 3, ...everyWhere }, never);
    for (let looks = 0; looks < 4; looks++) {
      await vice.control.run({ frames: 1, ...everyWhere }, never);
      expect((await colours()).size).toBe(1);
    }
    const { id } = await vice.breakpoints.set(raster(150));
    await vice.control.run(everyWhere, never);
    expect((await colours()).size).toBe(2);
    await vice.breakpoints.delete(id);
    await rack.stop(vice.handle, 'seen');
  });

  test('warp, which its binary monitor does not know, is on in calls and off in real time', async () => {
    const vice = await start({ boot: false });
    const warp = () => vice.monitor.execute('vice', 'warp', {});
    await vice.control.run({ frames: 1, ...everyWhere }, never);
    expect(await warp()).toContain('is on');
    await vice.control.runFreely?.('real');
    await vice.control.pause();
    expect(await warp()).toContain('is off');
    await vice.control.run({ frames: 1, ...everyWhere }, never);
    expect(await warp()).toContain('is on');
    await rack.stop(vice.handle, 'seen');
  });

  test('a drive becomes one that takes the disk, and its memory can be read', async () => {
    const vice = await start({ boot: false });
    const { media, memory } = vice;
    const disk = (kind: 'd64' | 'd71' | 'd81') => {
      const { bytes } = CommodoreDisk.create(kind, 'TRAP', '01').image;
      return { name: `a.${kind}`, bytes, readOnly: false };
    };
    const drives = () => memory.spaces.flatMap(({ name }) => (name.startsWith('drive') ? [name] : []));
    expect(drives()).toEqual(['drive8']);
    expect(await media.attach('drive9', disk('d81'))).toMatch(/; drive 9 is a 1581 now: let 60 frames pass/);
    expect(Buffer.from(await memory.peek('drive9', 0xc003n, 7)).toString()).toBe('dos1581');
    expect(await media.attach('drive9', disk('d64'))).toContain('; drive 9 is a 1541 now');
    expect(Buffer.from(await memory.peek('drive9', 0xc003n, 7)).toString()).toBe('dos1541');
    expect(await media.attach('drive8', disk('d64'))).not.toContain(';');
    await memory.poke('drive8', 0x300n, Uint8Array.of(1, 2, 3));
    expect([...(await memory.peek('drive8', 0x300n, 3))]).toEqual([1, 2, 3]);
    expect([...(await memory.peek('drive9', 0x300n, 3))]).not.toEqual([1, 2, 3]);
    expect(await media.attach('drive10', disk('d71'))).toContain('cannot read it: VICE has no ROM of a 1571');
    expect(drives()).toEqual(['drive8', 'drive9']);
    await expect(memory.peek('drive10', 0n, 1)).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
    await rack.stop(vice.handle, 'seen');
  });
});

describe.skipIf(!hasVice)('a VICE that somebody else has started', () => {
  const dir = mkdtempSync(join(tmpdir(), 'vice-'));
  let bare: Awaited<ReturnType<typeof bareVice>>;
  beforeAll(async () => {
    bare = await bareVice(dir);
  });
  afterAll(() => {
    bare.child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  });

  test('without its text monitor a line is met once in each frame', async () => {
    const vice = await start({ connect: `127.0.0.1:${bare.binmonPort}` });
    await assembled(vice, '* = $c000\n sei\nloop inc $c100\n jmp loop\n');
    const { id } = await vice.breakpoints.set(raster(100));
    for (let frames = 0; frames < 3; frames++) {
      const stop = await vice.control.run(everyWhere, never);
      expect([stop.cause, stop.event?.beam?.line]).toEqual(['breakpoint', 100]);
      expect(stop.event?.beam?.cycle).toBeLessThan(12);
    }
    await vice.breakpoints.change(id, { logOnly: true });
    // What is met on the way is not the end of a frame.
    expect(await vice.control.run({ frames: 4, ...everyWhere }, never)).toMatchObject({
      reason: 'frames',
      event: { beam: { line: 0 } },
    });
    expect((await vice.breakpoints.list())[0]?.hits).toBe(6);
    expect(vice.media).toBeUndefined();
    expect((vice as unknown as { remedies: object }).remedies).toMatchObject({
      media: expect.stringContaining('-remotemonitor'),
      chips: expect.stringContaining('-remotemonitor'),
      audio: expect.stringContaining('"sound":"file"'),
    });
    await rack.stop(vice.handle, 'seen');
  });

  test('it has its speed and what was in its ports again when it is let go', async () => {
    const port = 'JoyPort1Device';
    const mouse = 3;
    const setMouse = await BinmonClient.open(bare.binmonPort);
    await setMouse.ask(commands.resourceSet, [1, ...text(port), 4, ...u32(mouse)]);
    await setMouse.ask(commands.exit);
    setMouse[Symbol.dispose]();
    const places = { connect: `127.0.0.1:${bare.binmonPort}`, text_monitor: `127.0.0.1:${bare.textPort}` };
    const vice = await start(places);
    await vice.joystick.set(1, ['fire']);
    await vice.control.runFreely?.('real');
    await rack.stop(vice.handle, 'seen');
    const client = await BinmonClient.open(bare.binmonPort);
    const monitor = await TextMonitor.open('127.0.0.1', bare.textPort, never);
    expect((await client.ask(commands.resourceGet, text(port))).body[2]).toBe(mouse);
    expect(await monitor.ask('warp')).toContain('is on');
    monitor.close();
    client[Symbol.dispose]();
  });
});

test('a setting that this version does not have is named', async () => {
  const scripted = await scriptedVice({ version: [3, 7, 1, 0], unknown: ['JoyPort2Device'] });
  const vice = await start({ connect: scripted.place });
  try {
    await vice.joystick.set(1, ['up']);
    await expect(vice.joystick.set(2, ['up'])).rejects.toMatchObject({
      type: 'MISSING_CAPABILITY',
      message: 'This VICE has no setting JoyPort2Device.',
    });
  } finally {
    await rack.stop(vice.handle, 'test');
    scripted.close();
  }
});
