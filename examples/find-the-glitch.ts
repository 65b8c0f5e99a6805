/**
 * A sprite multiplexer whose upper row is torn, found and fixed as an agent would: one look at the frame with its events, one
 * at a wrong pixel, one at the times, then the fix and the proof. Run it: npx tsx examples/find-the-glitch.ts
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const source = readFileSync(new URL('torn-sprites.asm', import.meta.url), 'utf8');

interface Event {
  readonly frame: number;
  readonly type: string;
  readonly raster_line: number;
  readonly register_name?: string;
  readonly symbol?: string;
}

interface Pixel {
  readonly element: string;
  readonly color: number;
  readonly raster_line: number;
  readonly causes: readonly { readonly what: string; readonly symbol?: string; readonly raster_line?: number }[];
}

/** The line in which the upper row has been drawn, and the first one in which something of the lower row is written. */
function times(events: readonly Event[]): { readonly drawn: number; readonly changed: number } {
  const frame = events[0]?.frame;
  const own = events.filter((event) => event.frame === frame);
  const drawn = own.find(({ type }) => type === 'sprite_display_end')?.raster_line ?? 0;
  const changed = own.find(({ type, symbol }) => type === 'write' && symbol?.startsWith('each2'))?.raster_line ?? 0;
  return { drawn, changed };
}

export async function findTheGlitch(
  server: string,
  log: (text: string) => void,
): Promise<{ readonly isFixed: boolean; readonly calls: number }> {
  const client = new Client({ name: 'find-the-glitch', version: '1' });
  const args = [server, '--toolset', 'all'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  let calls = 0;
  const call = async <Answer>(name: string, values: Record<string, unknown>): Promise<Answer> => {
    calls += 1;
    const { content } = await client.callTool({ name, arguments: { format: 'json', ...values } });
    const text = (content as { type: string; text?: string }[]).find(({ type }) => type === 'text')?.text ?? '';
    log(`${name} ${JSON.stringify(values).slice(0, 200)}\n${text.slice(0, 1500)}\n`);
    return (text.startsWith('{') ? JSON.parse(text) : text) as Answer;
  };
  const plain = (name: string, values: Record<string, unknown>) => call<string>(name, { ...values, format: undefined });
  // The lower left corner of the first sprite of the upper row: line 80 of the raster is row 64 of the picture.
  const corner = { x: 50, y: 64, frames_back: 10 };
  const filter = { chips: ['vic2'], types: ['write', 'sprite_display_end'], first_line: 61, last_line: 119 };
  try {
    await plain('machine_start', { kind: 'c64', options: { roms: 'own' } });
    await plain('program_run', { source });
    await plain('run', { frames: 5 });
    // What happens where? Marks of SPnCOL lie within the upper row.
    await plain('frame_xray', { chips: ['vic2'], types: ['write', 'sprite_display', 'sprite_display_end'] });
    const torn = await call<Pixel>('frame_xray', corner);
    const culprit = torn.causes.find(({ what }) => what.startsWith('colour of sprite'));
    const before = times((await call<{ events: readonly Event[] }>('frame_trace', filter)).events);
    const isBug = culprit?.symbol?.startsWith('each2') === true && before.changed < before.drawn;
    if (!isBug) return { isFixed: false, calls };
    // The lower row may be set up from the line on in which nothing of the upper one is drawn any more.
    const fixed = source.replace(/^split {2}= \d+/m, `split  = ${before.drawn + 1}`);
    await plain('program_run', { source: fixed });
    await plain('run', { frames: 5 });
    const whole = await call<Pixel>('frame_xray', corner);
    const after = times((await call<{ events: readonly Event[] }>('frame_trace', filter)).events);
    const isFixed = whole.color === 1 && torn.color === 2 && after.changed > after.drawn;
    return { isFixed, calls };
  } finally {
    await client.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
  const { isFixed, calls } = await findTheGlitch(server, console.log);
  console.log(isFixed ? `found, fixed and proven in ${calls} calls` : 'not found');
}
