import { atMost, type Row, type Table } from './harness/bench.ts';
import { built } from './harness/built.ts';
import { openRack } from './rack-desk.ts';

const listed = 500;
const frames = { c64: 9000, dos: 3000 } as const;
const framesPerCall = 500;
/** As an answer may be, before it is cut. */
const longestAnswer = 24_000;

/** Writes to memory all the time, all over it. */
const c64Program =
  '* = $c000\nnext inc put+2\n lda put+2\n cmp #$90\n bcc put\n lda #$10\n sta put+2\n inx\nput inc $1000,x\n jmp next\n';
const dosProgram =
  'org 100h\nmov ax,5000h\nmov es,ax\nlp: add di,1237\nrol ax,1\nxor ax,di\nmov [es:di],ax\nmov [di+8000h],ax\njmp lp\n';

/** What being able to go back takes, and how many machines a list can have. */
export async function roomTable(): Promise<Table> {
  const { dosKind }: typeof import('../src/machines/dos/dos-kind.ts') = await built('machines/dos/dos-kind.js');
  const { historyBudget }: typeof import('../src/machines/shared/history-budget.ts') = await built(
    'machines/shared/history-budget.js',
  );
  const history = async (kind: keyof typeof frames, program: string | undefined, most: number): Promise<Row> => {
    const { rack, call } = await openRack(1, dosKind);
    await call('machine_start', { kind, name: 'past' });
    if (program) await call('program_run', { machine: 'past', source: program });
    let largest = 0;
    for (let frame = 0; frame < frames[kind]; frame += framesPerCall) {
      await call('run', { machine: 'past', frames: framesPerCall, timeout_ms: 50_000 });
      largest = Math.max(largest, historyBudget.bytes / 2 ** 20);
    }
    await rack.close();
    const what = `history of ${kind}, ${program ? 'a program that writes all over memory' : 'the prompt'}`;
    return { what, measured: `${largest.toFixed(1)} MiB`, target: atMost(largest, most, `≤ ${most} MiB`) };
  };
  return {
    title: 'Room',
    rows: [
      await history('c64', undefined, 10),
      await history('c64', c64Program, 10),
      await history('dos', undefined, 30),
      await history('dos', dosProgram, 30),
      await longList(),
    ],
    notes: [`The most that was kept in the course of ${frames.c64} frames of the C64 and ${frames.dos} of the DOS PC.`],
  };
}

async function longList(): Promise<Row> {
  const { rack, call } = await openRack(listed);
  for (let number = 0; number < listed; number++) {
    await call('machine_start', { kind: 'c64', name: `m${number}`, options: { boot: false } });
  }
  const seen: string[] = [];
  let [after, calls, longest]: [string | undefined, number, number] = [undefined, 0, 0];
  do {
    const text: string = await call('machine_list', after === undefined ? {} : { after });
    seen.push(...[...text.matchAll(/^(m\d+) /gm)].map(([, name = '']) => name));
    after = /"after":\s*"([^"]+)"/.exec(text)?.[1];
    calls++;
    longest = Math.max(longest, text.length);
  } while (after !== undefined);
  await rack.close();
  if (new Set(seen).size !== listed || seen.length !== listed)
    throw new Error(`${seen.length} of ${listed} were listed`);
  return {
    what: `machine_list of ${listed} machines, the longest of ${calls} pages`,
    measured: `${longest} characters`,
    target: atMost(longest, longestAnswer, `≤ ${longestAnswer} characters`),
  };
}
