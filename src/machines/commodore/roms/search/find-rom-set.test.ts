import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AllowedFiles } from '../../../../host/files/allowed-files.ts';
import { describeSet, findDriveRom, findRomSet } from './find-rom-set.ts';
import { romPlaces } from './rom-places.ts';
import type { RomSetSpec, RomSpec } from './rom-spec.ts';

// The originals are nobody's to ship: a machine of our own with images of our own stands for them.
const image = (length: number, seed: number) => Uint8Array.from({ length }, (_, index) => (index * seed) & 255);
const original = { kernal: image(64, 3), old: image(64, 5), basic: image(64, 7), dos: image(256, 11) };
const sha1 = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest('hex');

const set: RomSetSpec<'kernal' | 'basic'> = {
  machine: 'X1',
  folder: 'X1',
  images: {
    kernal: {
      title: 'KERNAL',
      names: ['kernal-03.bin', 'kernal'],
      bytes: 64,
      revisions: { [sha1(original.kernal)]: '03', [sha1(original.old)]: '01' },
    },
    basic: { title: 'BASIC', names: ['basic'], bytes: 64, revisions: { [sha1(original.basic)]: '12' } },
  },
  inOne: ['basic', 'kernal'],
};
const dos: RomSpec = { title: 'DOS', names: ['dos'], bytes: 256, revisions: { [sha1(original.dos)]: '7' } };

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fp-roms-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (path: string, bytes: Uint8Array) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), bytes);
};
const withText = (text: string) => {
  const bytes = new Uint8Array(64);
  bytes.set(new TextEncoder().encode(text));
  return bytes;
};
const places = (romFolders: readonly string[], asked?: string) =>
  romPlaces(asked === undefined ? undefined : join(root, asked), {
    settings: { romFolders: romFolders.map((name) => (name === 'own' ? name : join(root, name))), environment: {} },
    files: new AllowedFiles({ read: [root], write: [] }),
  });
/** As if the folder were one of those that are always looked at. */
const usual = (name: string) => [
  { path: join(root, name), isNamed: false, mayRead: async (path: string) => ({ path, close: () => {} }) },
];
const search = async (romFolders: readonly string[]) => findRomSet(set, await places([...romFolders, 'own']));

test('a file that is no image is asked for its size once, however many images are looked for', async () => {
  put('folder/X1/palette', new Uint8Array(10));
  const asked: string[] = [];
  const mayRead = async (path: string) => {
    asked.push(path);
    return { path, close: () => {} };
  };
  await findRomSet(set, [{ path: join(root, 'folder'), isNamed: false, mayRead }]);
  expect(asked.filter((path) => path.endsWith('palette'))).toHaveLength(1);
});

test('a search of the usual folders ends within the turn in which it began', async () => {
  put('folder/X1/kernal', original.kernal);
  put('folder/X1/basic', original.basic);
  let turns = 0;
  const next = setImmediate(() => turns++);
  const { found } = await findRomSet(set, [...usual('missing'), ...usual('folder')]);
  await findDriveRom(dos, usual('folder'));
  clearImmediate(next);
  expect([found?.maker, turns]).toEqual(['original', 0]);
});

test('the folder itself, its subfolder as emulators have it, and drives below or beside', async () => {
  put('vice/X1/kernal', original.kernal);
  put('vice/X1/basic', original.basic);
  put('vice/DRIVES/dos', original.dos);
  for (const folder of ['vice', 'vice/X1']) {
    const { found } = await search([folder]);
    expect(found && describeSet(set, found)).toBe(`original ROMs from ${root}/vice/X1 (KERNAL 03, BASIC 12)`);
    const drive = await findDriveRom(dos, await places([folder, 'own']));
    expect(drive?.path).toBe(join(root, folder === 'vice' ? 'vice/DRIVES/dos' : 'vice/X1/../DRIVES/dos'));
  }
});

test('known revisions are found under any name, the preferred one first, in any case, also two in one file', async () => {
  put('a/x1/rom1.u5', original.old);
  put('a/x1/rom2.u5', original.kernal);
  put('a/x1/BASIC', original.basic);
  expect((await search(['a'])).found?.files.kernal.origin.revision).toBe('03');
  put('b/one.bin', Uint8Array.of(...original.basic, ...original.old));
  const { found } = await search(['b']);
  expect(found?.maker).toBe('original');
  expect(found?.files.kernal.bytes).toEqual(original.old);
});

test('of the usual folders only originals are taken; what is not known is named, open-roms are not worth a word', async () => {
  put('open/kernal', withText('KERNAL'));
  put('open/basic', withText('OPEN ROMS GENERIC'));
  put('patched/kernal', withText('FAST LOADER'));
  put('patched/basic', original.basic);
  expect(await findRomSet(set, usual('open'))).toEqual({ passedOver: [] });
  expect(await findRomSet(set, usual('patched'))).toEqual({ passedOver: [`${root}/patched holds no known originals`] });
  put('patched/kernal', original.old);
  expect((await findRomSet(set, [...usual('open'), ...usual('patched')])).found?.maker).toBe('original');
});

test('a folder that somebody named is taken as it is, and the description says what it is', async () => {
  put('open/kernal', withText('KERNAL'));
  put('open/basic', withText('OPEN ROMS GENERIC'));
  put('patched/kernal', withText('FAST LOADER'));
  put('patched/basic', original.basic);
  const describe = async (name: string) => {
    const { found } = await search([name]);
    return found && describeSet(set, found);
  };
  expect(await describe('open')).toMatch(/^open-roms from .*\/open, whose BASIC is unfinished/);
  expect(await describe('patched')).toMatch(
    /^ROMs from .*\/patched, not all of them known \(KERNAL unknown, BASIC 12\)/,
  );
});

test('a named folder without a set is not passed over in silence', async () => {
  put('half/X1/kernal', original.kernal);
  put('size/kernal', image(65, 3));
  put('size/basic', original.basic);
  expect((await search(['half', 'size', 'missing'])).passedOver).toEqual([
    `${root}/half/X1 lacks BASIC`,
    `${root}/size lacks KERNAL`,
    `${root}/missing is not a folder that can be read`,
  ]);
});

test('own ends the search: neither later folders nor the usual ones are looked at', async () => {
  put('later/kernal', original.kernal);
  put('later/basic', original.basic);
  expect(await findRomSet(set, await places(['own', 'later']))).toEqual({ passedOver: [] });
  expect((await places(['later'])).length).toBeGreaterThan(3);
});

test('a folder named by an agent: each file only as far as the agent may read', async () => {
  put('agents/kernal', original.kernal);
  put('secret/basic', original.basic);
  put('DRIVES/dos', original.dos);
  symlinkSync(join(root, 'secret/basic'), join(root, 'agents/basic'));
  const files = new AllowedFiles({ read: [join(root, 'agents')], write: [] });
  const host = { settings: { romFolders: ['own'], environment: {} }, files };
  const agents = await romPlaces(join(root, 'agents'), host);
  expect((await findRomSet(set, agents)).passedOver).toEqual([`${root}/agents lacks BASIC`]);
  expect(await findDriveRom(dos, agents)).toBeUndefined();
  await expect(romPlaces(join(root, 'secret'), host)).rejects.toThrow('outside');
  // What the user has named is nobody's secret.
  const trusting = { ...host, settings: { romFolders: [root], environment: {} } };
  expect((await romPlaces(join(root, 'secret'), trusting))[0]?.path).toBe(join(root, 'secret'));
});

test('a link that leads elsewhere by the time of reading gives nothing away', async () => {
  put('agents/roms/kernal', original.kernal);
  put('agents/roms/basic', original.basic);
  put('known/X1/kernal', original.kernal);
  put('known/X1/basic', original.basic);
  put('secret/X1/kernal', original.old);
  put('secret/X1/basic', original.basic);
  const files = new AllowedFiles({ read: [join(root, 'agents')], write: [] });
  const pointTo = (target: string) => {
    rmSync(join(root, 'agents/link'), { force: true });
    symlinkSync(join(root, target), join(root, 'agents/link'));
  };
  for (const [target, romFolders] of [
    ['agents/roms', ['own']],
    ['known', [join(root, 'known'), 'own']],
  ] as const) {
    pointTo(target);
    const [asked] = await romPlaces(join(root, 'agents/link'), { files, settings: { romFolders, environment: {} } });
    pointTo('secret');
    const { found } = await findRomSet(set, asked ? [asked] : []);
    expect(found?.files.kernal.origin.revision).not.toBe('01');
  }
});
