import { eightSprites } from '../src/machines/commodore/c64/eight-sprites-testing.ts';
import { hasVice, type ViceTask, viceRate } from './c64-vice.ts';
import { GymClient } from './gym-client.ts';
import { atLeast, atMost, type Bench, type Row, type Table } from './harness/bench.ts';
import { built } from './harness/built.ts';
import { interleaved } from './harness/rounds.ts';
import { median, ratio } from './harness/statistics.ts';

const { assemble }: typeof import('../src/formats/commodore/assembler/assemble.ts') = await built(
  'formats/commodore/assembler/assemble.js',
);

const rounds = 5;
const stepsPerRound = 30;
const framesPerStep = 4;
const few = 16;
const warmUp = 40;
const many = 64;
const cyclesPerFrame = 19_656;
const spec = {
  kind: 'c64',
  options: { roms: 'own' },
  frames: framesPerStep,
  observe: { pixels: { width: 84, height: 84, grey: true } },
  seed: 1,
};

/** Environments for training: how many steps a second of processor time gives, what the channel costs, and memory. */
export const gymBench: Bench = {
  summary: 'C64s as environments: 4 frames a step, 84 x 84 pixels in grey, in steps a second of processor time.',
  async run(progress) {
    const folder = process.env.FRONTPANEL_ROMS ?? '';
    const withVice = folder !== '' && hasVice(folder);
    progress(withVice ? 'x64sc is the reference' : 'no x64sc with ROMs here (FRONTPANEL_ROMS): no reference');
    const vice = (task: ViceTask) => async () =>
      withVice ? viceRate(folder, { withoutDrive: true, ...task }) / (framesPerStep * cyclesPerFrame) : Number.NaN;
    const source = eightSprites();
    await using prompt = await GymClient.atSocket({ ...spec, count: few });
    await using sprites = await GymClient.atSocket({ ...spec, from_: { source }, count: few });
    progress('steps');
    for (const client of [prompt, sprites]) await client.seconds(warmUp);
    const rate = async (client: GymClient) => (few * stepsPerRound) / (await client.seconds(stepsPerRound));
    const steps = await interleaved(rounds, {
      prompt: () => rate(prompt),
      sprites: () => rate(sprites),
      vicePrompt: vice({}),
      viceSprites: vice({ program: assemble(source) }),
    });
    return [
      {
        title: 'Steps',
        rows: [
          stepRow('BASIC prompt', steps.prompt, steps.vicePrompt, 400),
          stepRow('raster bars and eight sprites', steps.sprites, steps.viceSprites, 220),
        ],
        notes: [
          `${few} environments in the one thread of a server, whose processor time this is, stepped by a Python client; after ${warmUp} steps.`,
          'x64sc runs the same frames and makes no observation of them.',
        ],
      },
      await channelTable(progress),
      await memoryTable(progress),
    ];
  },
};

function stepRow(what: string, ours: readonly number[], vice: readonly number[], wanted: number): Row {
  const row = {
    what,
    measured: `${median(ours).toFixed(0)} steps`,
    best: `${Math.max(...ours).toFixed(0)} steps`,
    target: atLeast(median(ours), wanted, `≥ ${wanted} steps`),
  };
  const reached = ratio(ours, vice);
  if (Number.isNaN(reached)) return row;
  return { ...row, ratio: reached.toFixed(2), reference: `${median(vice).toFixed(0)} steps` };
}

async function channelTable(progress: (text: string) => void): Promise<Table> {
  progress(`${many} environments, here and at a socket`);
  await using inside = await GymClient.inside({ ...spec, count: many });
  await using outside = await GymClient.atSocket({ ...spec, count: many });
  const total = many * stepsPerRound;
  const samples = await interleaved(rounds + 1, {
    inside: () => inside.seconds(stepsPerRound),
    outside: () => outside.seconds(stepsPerRound),
  });
  const [ours, theirs] = [samples.outside.slice(1), samples.inside.slice(1)];
  const cost = ratio(ours, theirs);
  const perStep = (seconds: readonly number[]) => `${((median(seconds) * 1000) / total).toFixed(2)} ms a step`;
  return {
    title: `The channel, ${many} environments`,
    rows: [
      {
        what: 'the server with a Python client, to the same steps without a channel',
        ratio: cost.toFixed(2),
        measured: perStep(ours),
        reference: perStep(theirs),
        target: atMost(cost, 1.1, '≤ 1.1'),
      },
    ],
    notes: ['Processor time of the server alone; the client is a process of its own.'],
  };
}

async function memoryTable(progress: (text: string) => void): Promise<Table> {
  progress('1,000 environments');
  await using client = await GymClient.atSocket({ ...spec, count: 1000 });
  await client.seconds(2);
  return {
    title: 'Memory',
    rows: [
      {
        what: '1,000 C64s, reset and two steps each: resident memory at its peak',
        measured: `${client.megabytes.toFixed(0)} MB`,
        target: atMost(client.megabytes, 1000, '≤ 1000 MB'),
      },
    ],
    notes: ['One thread; environments keep no history.'],
  };
}
