import { type Vic2Model, vic2Models } from '../../src/chips/vic2/models.ts';
import type { C64BoardOptions } from '../../src/machines/commodore/c64/c64-board.ts';
import type { SuiteTest } from './run-test.ts';

/** The C64 that a test asks for, and what has to be put into it. */
export interface TestMachine {
  readonly vic: Vic2Model;
  readonly cia: '6526' | '6526A';
  readonly sid: '6581' | '8580';
  readonly isDriveConnected: boolean;
  /** Sizes in KiB. */
  readonly reu?: number | undefined;
  readonly geoRam?: number | undefined;
  readonly expansions: Partial<C64BoardOptions>;
  readonly cartridge?: string | undefined;
  readonly disk?: string | undefined;
}

const vicModels: Readonly<Record<string, { readonly old: Vic2Model; readonly new: Vic2Model }>> = {
  any: { old: '6569', new: '8565' },
  pal: { old: '6569', new: '8565' },
  ntsc: { old: '6567', new: '8562' },
  ntscold: { old: '6567R56A', new: '6567R56A' },
};

/** RAM expansions, as VICE's testbench switches them on. */
const expansions: Readonly<Record<string, Partial<C64BoardOptions>>> = {
  plus60k: { ramBanks: 'plus60k' },
  plus256k: { ramBanks: 'plus256k' },
  dqbb: { dqbb: 16 },
  ramcart128k: { ramCart: 128 },
  isepic: { isepic: 'on' },
};

const disks = ['d64', 'g64', 'p64'];
/** Needs that the mounts of the test fulfil. */
const mounted = ['cartridge', ...disks.map((kind) => `disk-${kind}`)];

/** The tests of the core list that talk to drive 8, which it does not say. */
const driveTests = ['general/fuxxortest/ef2-inst1.prg', 'general/fuxxortest/test-fuxxored.prg'];

/** Their expected bytes were taken from a C64C; those of the programs with `-m2` in their names from an older machine. */
const newBoardTests = /^REU\/reutiming2\/[efg]\d?\.prg$/;

/** `reu512k` and `reu2m` in KiB. */
function sizeIn(need: string): { readonly what: string; readonly kilobytes: number } | undefined {
  const [, what = '', count, unit] = /^(reu|geo)(\d+)([km])$/.exec(need) ?? [];
  return count === undefined ? undefined : { what, kilobytes: Number(count) * (unit === 'm' ? 1024 : 1) };
}

function sizeOf(what: 'reu' | 'geo', needs: readonly string[]): number | undefined {
  return needs.map(sizeIn).find((size) => size?.what === what)?.kilobytes;
}

function vicOf(name: string | undefined): Vic2Model | undefined {
  return name !== undefined && name in vic2Models ? (name as Vic2Model) : undefined;
}

/** Throws an error that names everything in a test that this machine cannot be given: no test runs on half of what it needs. */
export function machineFor(test: SuiteTest): TestMachine {
  const { needs = [], mounts = [], opts, reference, video } = test;
  const mountOf = (kinds: readonly string[]) => mounts.find(({ type }) => kinds.includes(type))?.path;
  const missing = [
    ...needs.filter(
      (need) => need !== 'drive' && !mounted.includes(need) && sizeIn(need) === undefined && !(need in expansions),
    ),
    ...mounts.filter(({ type }) => type !== 'crt' && !disks.includes(type)).map(({ type }) => `a ${type} file`),
  ];
  if (missing.length > 0) throw new Error(`needs ${missing.join(' and ')}, which this machine does not have`);
  // Reference pictures without a model in their name come from the older chip; everything else is a C64C.
  const isNewVic =
    test.vicii === 'new' ||
    newBoardTests.test(test.prg ?? '') ||
    opts.includes('vicii-new') ||
    /-(8565|8562)(early|late)?\.png$/.test(reference ?? '');
  // Pictures of chips whose colours change a pixel earlier or later say so in their name.
  const named = vicOf(/-([^-]+)\.png$/.exec(reference ?? '')?.[1]);
  const disk = mountOf(disks);
  return {
    vic: named ?? vicModels[video]?.[isNewVic ? 'new' : 'old'] ?? '6569',
    cia: test.cia === 'old' || opts.includes('cia-old') ? '6526' : '6526A',
    sid: test.sid === 'old' || opts.includes('sid-old') ? '6581' : '8580',
    isDriveConnected: disk !== undefined || needs.includes('drive') || driveTests.includes(test.prg ?? ''),
    reu: sizeOf('reu', needs),
    geoRam: sizeOf('geo', needs),
    expansions: Object.assign({}, ...needs.map((need) => expansions[need])),
    cartridge: mountOf(['crt']),
    disk,
  };
}
