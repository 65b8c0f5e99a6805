/**
 * The testing workflow of the VICE design, as a script: a program moves a sprite at a speed that the processor decides; the
 * same program is run under PAL and under NTSC, and how far the sprite comes in five frames is compared. On a machine without
 * sprites it shows how they are refused, and on one whose video chip cannot be exchanged how that is. Run it: npx tsx examples/compare-standards.ts
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, ProtocolError } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

type Fields = Readonly<Record<string, unknown>>;

export interface StandardResult {
  /** Why not, where the machine cannot be switched to the standard. */
  readonly cyclesPerFrame: number | string;
  /** How far sprite 0 has come in five frames; why that cannot be said where there are no sprites. */
  readonly moved: number | string;
}

export type ExampleMachine = 'c64' | 'vic20' | 'plus4' | 'c16';

export interface Comparison {
  readonly pal: StandardResult;
  readonly ntsc: StandardResult;
}

const frames = 5;

export async function compareStandards(
  server: string,
  machine: ExampleMachine,
  log: (text: string) => void,
): Promise<Comparison> {
  const folder = await mkdtemp(join(tmpdir(), 'fp-standards-'));
  const client = new Client({ name: 'compare-standards', version: '1' });
  const args = [server, '--dialect', 'vice', '--machine', machine, '--allow-path', folder];
  const stops: Fields[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => {
    if (params.logger === 'vice') stops.push(params.data as Fields);
  });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));

  const call = async (name: string, given: Fields = {}): Promise<Fields> => {
    const { structuredContent } = await client.callTool({ name, arguments: { ...given } });
    log(`${name} ${JSON.stringify(given)} -> ${JSON.stringify(structuredContent)}`);
    return structuredContent as Fields;
  };
  const runToStop = async () => {
    const before = stops.length;
    await call('vice.execution.run');
    while (stops.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const spriteX = async (): Promise<number | string> => {
    try {
      const { sprites } = await call('vice.vic2.sprites.get', { sprite: 0 });
      return (sprites as { x: number }[])[0]?.x ?? 0;
    } catch (error) {
      if (!(error instanceof ProtocolError) || error.code !== -32601) throw error;
      return String((error.data as { reason: string }).reason);
    }
  };
  const measure = async (profile: string): Promise<StandardResult> => {
    // Chips are exchanged under the running program.
    const refused = await call('vice.machine.profile.apply', { profile_name: profile, reset_after: false }).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof ProtocolError && error.code === -32602) return error.message;
        throw error;
      },
    );
    if (refused !== undefined) return { cyclesPerFrame: refused, moved: refused };
    await runToStop();
    const from = await spriteX();
    await call('vice.trace.cycles.reset');
    for (let frame = 0; frame < frames; frame++) await runToStop();
    const { cycles } = await call('vice.trace.cycles.get');
    const to = await spriteX();
    const moved = typeof from === 'number' && typeof to === 'number' ? (to - from) & 255 : from;
    return { cyclesPerFrame: Math.round(Number(cycles) / frames), moved };
  };

  try {
    const path = join(folder, 'sprites.prg');
    await writeFile(path, sampleProgram(machine));
    await call('vice.files.autostart', { path });
    await call('vice.events.subscribe', { events: ['breakpoint'] });
    await call('vice.execution.pause');
    await call('vice.breakpoints.raster', { line: 100 });
    const names = machine === 'c64' ? ['c64_pal_6581', 'c64_ntsc_6581'] : [`${machine}_pal`, `${machine}_ntsc`];
    const [pal, ntsc] = [await measure(names[0] ?? ''), await measure(names[1] ?? '')];
    return { pal, ntsc };
  } finally {
    await client.close();
    await rm(folder, { recursive: true });
  }
}

/** BASIC's SYS, then a loop of about 1,300 cycles that moves sprite 0, or changes colors where there are none. */
export function sampleProgram(machine: ExampleMachine): Uint8Array {
  const start = machine === 'c64' ? 0x0801 : 0x1001;
  const code = start + 12;
  const line = [start + 10, 10, [...` ${code}`].map((digit) => digit.charCodeAt(0))] as const;
  const basic = [line[0] & 255, line[0] >> 8, line[1], 0, 0x9e, ...line[2].slice(1), 0, 0, 0];
  const setup = [0x78, 0xa9, 1, 0x8d, 0x15, 0xd0, 0xa9, 150, 0x8d, 1, 0xd0];
  const registers = { c64: 0xd000, vic20: 0x900f, plus4: 0xff19, c16: 0xff19 };
  const moving = [0xee, registers[machine] & 255, registers[machine] >> 8];
  const begin = machine === 'c64' ? setup : [0x78];
  const loop = code + begin.length;
  const delay = [0xa2, 0, 0xca, 0xd0, 0xfd];
  return Uint8Array.from([
    start & 255,
    start >> 8,
    ...basic,
    ...begin,
    ...moving,
    ...delay,
    0x4c,
    loop & 255,
    loop >> 8,
  ]);
}

if (process.argv[1]?.endsWith('compare-standards.ts')) {
  const server = new URL('../dist/cli.js', import.meta.url).pathname;
  console.log(await compareStandards(server, 'c64', console.error));
}
