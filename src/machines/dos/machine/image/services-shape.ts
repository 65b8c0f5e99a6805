import { z } from 'zod';
import type { VolumeLayout } from '../../drives/fat/volume-layout.ts';
import type { SavedGuestDisk } from '../../drives/saved-drive.ts';
import type { BiosState } from '../../services/bios/bios.ts';
import type { DosState } from '../../services/dos/dos.ts';
import type { EmsState } from '../../services/ems/expanded-memory.ts';
import type { MouseState } from '../../services/mouse/mouse-state.ts';
import type { XmsState } from '../../services/xms/xms-driver.ts';
import type { ShellState } from '../../shell/shell-state.ts';

/** What BIOS, DOS and drivers keep outside the machine's memory, without the drives. */
export interface PlainServices {
  readonly bios: BiosState;
  readonly dos: Omit<DosState, 'drives'>;
  readonly shell: ShellState;
  readonly mouse: MouseState;
  readonly ems: EmsState;
  readonly xms: XmsState;
  readonly ownDos: boolean;
}

/** More than any of them keeps of anything. */
const most = 0x10000;

const flag = z.boolean();
const int = z.number().int().min(-0x8000_0000).max(0xffff_ffff);
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const text = z.string().max(most);
const ints = z.array(int).max(most);
const texts = z.array(text).max(most);
const bytes = z.array(z.number().int().min(0).max(255)).max(most);
const real = z.number().min(-1e9).max(1e9);

/** In JSON what is undefined is null. */
const orNone = <T extends z.ZodType>(shape: T) => shape.nullable().transform((value) => value ?? undefined);

const bios: z.ZodType<BiosState> = z.strictObject({
  pointer: z.strictObject({
    handlerSegment: int,
    handlerOffset: int,
    enabled: flag,
    packet: bytes,
    answersDue: int,
  }),
  attribute: int,
  writing: orNone(z.strictObject({ stack: int, done: int, row: int, column: int })),
});

const editing = z.strictObject({
  limit: int,
  startColumn: int,
  text: bytes,
  template: bytes,
  from: int,
  insert: flag,
  pending: z.enum(['none', 'scan', 'copy', 'skip']),
});

const consoleDevice: z.ZodType<DosState['console']> = z.strictObject({
  column: int,
  typed: bytes,
  edit: orNone(editing),
  line: bytes,
  lastLine: bytes,
  raw: bytes,
  printerEcho: flag,
  breakPending: flag,
  ansi: z.strictObject({
    sequence: bytes,
    attribute: int,
    saved: z.strictObject({ row: int, column: int }),
    answers: bytes,
    keys: z.array(z.tuple([int, bytes])).max(1024),
  }),
  status: orNone(z.strictObject({ key: orNone(z.strictObject({ ascii: int, scan: int })) })),
  flushing: flag,
});

const register = int.exactOptional();
const guestCalls: z.ZodType<DosState['calls']> = z
  .array(
    z.union([
      int,
      z.strictObject({
        interrupt: z.number().int().min(0).max(255),
        registers: z.strictObject({
          ax: register,
          bx: register,
          cx: register,
          dx: register,
          si: register,
          di: register,
          bp: register,
          ds: register,
          es: register,
        }),
        back: z.string().max(32),
      }),
      z.strictObject({ driver: int, request: bytes, data: orNone(bytes).optional(), back: z.string().max(32) }),
    ]),
  )
  .max(most);

const share: z.ZodType<DosState['share']> = z.strictObject({
  loaded: flag,
  paths: z.array(z.tuple([int, text])).max(most),
  locks: z.array(z.strictObject({ file: int, process: int, start: count, end: count })).max(most),
});

const drivers: z.ZodType<DosState['drivers']> = z.strictObject({
  journals: z
    .array(
      z.strictObject({
        stack: int,
        answers: z
          .array(
            z.union([bytes, z.strictObject({ done: z.union([int, z.strictObject({ line: bytes, echo: bytes })]) })]),
          )
          .max(most),
      }),
    )
    .max(most),
  failing: int,
});

const deviceLine = z.strictObject({ line: int, path: text, text, high: flag });

const dos: z.ZodType<PlainServices['dos']> = z.strictObject({
  waits: ints,
  high: flag,
  idleCalled: flag,
  controlBreakStack: int,
  criticalCode: int,
  criticalAsked: flag,
  lastUsed: int,
  console: consoleDevice,
  calls: guestCalls,
  share,
  drivers,
  cooked: ints,
  startup: z.strictObject({
    messages: texts,
    lines: z.array(deviceLine).max(most),
    loading: orNone(
      z.strictObject({ line: deviceLine, segment: int, paragraphs: int, offset: int, next: int, end: int }),
    ),
    reopen: flag,
  }),
  installed: flag,
});

const command = z.strictObject({
  text,
  input: text.exactOptional(),
  output: text.exactOptional(),
  append: flag.exactOptional(),
  whole: flag.exactOptional(),
  isShown: flag.exactOptional(),
  temporary: text.exactOptional(),
});

/** What filters read may be long, and of many lines. */
const long = z.string().max(1024 * 1024);
const mostLines = 1024 * 1024;
const gathered = z.strictObject({ name: text, text: long });
const filter = z.discriminatedUnion('name', [
  z.strictObject({
    name: z.literal('find'),
    text,
    inverts: flag,
    counts: flag,
    numbers: flag,
    folds: flag,
  }),
  z.strictObject({ name: z.literal('sort'), reverses: flag, column: int }),
  z.strictObject({ name: z.literal('more') }),
]);

const key = z.strictObject({ step: z.enum(['before', 'key', 'after']) });

const batch = z.strictObject({
  lines: texts,
  next: int,
  parameters: texts,
  shifted: int,
  after: z.array(command).max(most),
  echo: flag,
});

const job = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('pause'), key }),
  z.strictObject({ kind: z.literal('terminateBatch') }),
  z.strictObject({ kind: z.literal('date') }),
  z.strictObject({ kind: z.literal('time') }),
  z.strictObject({ kind: z.literal('delete'), path: text }),
  z.strictObject({ kind: z.literal('erase'), paths: texts }),
  z.strictObject({ kind: z.enum(['label', 'deleteLabel']), drive: int }),
  z.strictObject({
    kind: z.literal('gather'),
    filter,
    files: texts,
    read: z.array(gathered).max(most),
    handle: int,
    text: long,
  }),
  z.strictObject({ kind: z.literal('lines'), lines: z.array(long).max(mostLines) }),
  z.strictObject({ kind: z.literal('more'), lines: z.array(long).max(mostLines), shown: int }),
  z.strictObject({ kind: z.literal('choice'), keys: text, isExact: flag, fallback: int, until: int }),
  z.strictObject({ kind: z.literal('page'), lines: texts, shown: int, key }),
  z.strictObject({
    kind: z.literal('dir'),
    switches: z
      .array(z.string().max(16))
      .max(64)
      .transform((list) => new Set(list)),
    drive: int,
    folders: texts,
    listed: int,
    lines: texts,
    files: count,
    bytes: count,
  }),
  z.strictObject({
    kind: z.literal('copy'),
    files: z.array(z.strictObject({ source: text, target: text, append: flag })).max(most),
    source: int,
    target: int,
    copied: int,
    shown: flag,
  }),
]);

const shell: z.ZodType<ShellState> = z.strictObject({
  contexts: z
    .array(
      z.strictObject({
        stack: int,
        caller: int,
        process: int,
        savedStack: int,
        interactive: flag,
        left: flag,
        batches: z.array(batch).max(64),
        pending: z.array(command).max(most),
        job: orNone(job),
        prompted: flag,
        active: orNone(command),
        savedInput: int,
        savedOutput: int,
        printed: z.string().max(1024 * 1024),
        running: flag,
        ending: flag,
      }),
    )
    .max(1024),
  echo: flag,
  errorLevel: int,
  temporaries: int,
  lastLine: bytes,
});

const buttons = z.array(z.strictObject({ count: int, x: real, y: real })).length(3);
const cursor = z.array(z.number().int().min(0).max(0xffff)).length(16);

const mouse: z.ZodType<MouseState> = z.strictObject({
  x: real,
  y: real,
  buttons: int,
  minX: real,
  maxX: real,
  minY: real,
  maxY: real,
  mickeysX: real,
  mickeysY: real,
  ratioX: real,
  ratioY: real,
  sensitivity: z.tuple([real, real, real]),
  shown: int,
  page: int,
  presses: buttons,
  releases: buttons,
  handlerMask: int,
  handlerSegment: int,
  handlerOffset: int,
  events: z.array(z.strictObject({ mask: int, buttons: int, x: real, y: real })).max(most),
  enabled: flag,
  textAnd: int,
  textXor: int,
  screenMask: cursor,
  cursorMask: cursor,
  hotX: int,
  hotY: int,
  under: orNone(z.strictObject({ x: real, y: real, mode: int, pixels: ints })),
});

const pageMap = z.array(orNone(z.strictObject({ handle: int, page: int }))).max(64);

const ems: z.ZodType<EmsState> = z.strictObject({
  handles: z
    .array(z.strictObject({ number: int, name: text, pages: ints, saved: orNone(pageMap).optional() }))
    .max(1024),
  map: pageMap,
});

const xms: z.ZodType<XmsState> = z.strictObject({
  blocks: z.array(z.strictObject({ handle: int, start: int, kilobytes: int, locks: int })).max(most),
  highMemoryTaken: flag,
  a20Locks: int,
  upper: orNone(z.array(z.strictObject({ segment: int, paragraphs: int })).max(most)),
});

export const servicesShape: z.ZodType<PlainServices> = z.strictObject({
  bios,
  dos,
  shell,
  mouse,
  ems,
  xms,
  ownDos: flag,
});

export const layoutShape: z.ZodType<VolumeLayout> = z.strictObject({
  firstSector: int,
  bytesPerSector: z.number().int().min(1).max(0x8000),
  sectors: count,
  sectorsPerCluster: z.number().int().min(1).max(255),
  reserved: int,
  fats: int,
  sectorsPerFat: int,
  rootEntries: int,
  rootSector: int,
  rootSectors: int,
  dataSector: int,
  clusters: z.number().int().min(0).max(0xffff),
  bits: z.union([z.literal(12), z.literal(16)]),
  media: z.number().int().min(0).max(255),
});

const sector = z
  .base64()
  .max(most)
  .transform((packed) => new Uint8Array(Buffer.from(packed, 'base64')));

export const guestDiskShape: z.ZodType<SavedGuestDisk> = z.strictObject({
  type: z.literal('driver'),
  unit: z.strictObject({ drive: int, driver: int, unit: int }),
  layout: layoutShape,
  rebuild: flag,
  sectors: z
    .array(z.tuple([count, sector]))
    .max(1024)
    .transform((list) => new Map(list)),
  failure: int,
});

/** As the shapes read it: what is undefined is null, sets and maps are lists, bytes are base64. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (each === undefined) return null;
    if (each instanceof Set || each instanceof Map) return [...each];
    if (each instanceof Uint8Array) return Buffer.from(each).toString('base64');
    return each;
  });
}
