import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';

/** What makes something that tells its failures as an `error` event, which ends the process where nobody listens. */
const makers: Readonly<Record<string, readonly string[]>> = {
  'node:net': ['connect', 'createConnection', 'createServer', 'Server', 'Socket'],
  'node:tls': ['connect', 'createServer', 'TLSSocket'],
  'node:http': ['createServer', 'get', 'request'],
  'node:https': ['createServer', 'get', 'request'],
  'node:child_process': ['exec', 'execFile', 'fork', 'spawn'],
  'node:worker_threads': ['Worker'],
  'node:fs': ['createReadStream', 'createWriteStream', 'ReadStream', 'WriteStream'],
  ws: ['WebSocket', 'WebSocketServer'],
};

/** Those whose failures are heard elsewhere, by file and maker. */
const heardElsewhere: Readonly<Record<string, string>> = {
  'cli/doctor/port-check.ts createServer': 'tries a port once; the first failure is the answer',
  'cli/new-thread.ts Worker': 'the one who asked for it listens',
  'console/screen/screen-host.ts Worker': 'the one who asked for it listens',
  'console/terminals/find-terminal.ts execFile': 'the callback is told',
  'gym/pool-thread.ts Worker': 'the one who asked for it listens',
  'links/serial/socket-pair.ts createServer': 'accepts one connection and is closed',
  'machines/qemu/launch/qemu-log.ts Socket': 'the log that it is handed to listens',
  'machines/shared/workshop.ts Worker': 'the one who asked for it listens',
  'server/listening-server.ts createServer': 'one of two; `server` listens',
  'view/page-server.ts WebSocketServer': 'it has no socket of its own; connections listen',
};

const root = join(import.meta.dirname, '../src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll(sep, '/'))
  .filter((file) => /\.ts$/.test(file) && !/(?:\.test|-testing)\.ts$/.test(file) && !file.startsWith('view/page/'));

test('whatever can fail on its own has somebody who listens for that', () => {
  const unheard = files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return unheardIn(source).map((maker) => `${file} ${maker}`);
  });
  expect([...new Set(unheard)].filter((each) => !(each in heardElsewhere))).toEqual([]);
  expect(Object.keys(heardElsewhere).filter((each) => !unheard.includes(each))).toEqual([]);
});

test('the check sees what is not heard, and what is', () => {
  const made = (rest: string) => unheardIn(`import { spawn as start } from 'node:child_process';\n${rest}`);
  expect(made("const child = start('a');\nchild.on('exit', done);")).toEqual(['spawn']);
  expect(made("const child = start('a');\nchild.once('error', done);")).toEqual(['spawn']);
  expect(made("return start('a');")).toEqual(['spawn']);
  expect(made("const child = start('a');\nchild\n  .on('exit', done)\n  .on('error', done);")).toEqual([]);
  expect(made("this.#child = start('a');\nthis.#child.on('error', done);")).toEqual([]);
});

/** The makers in a file of which one does not have a listener for good. */
function unheardIn(source: string): string[] {
  return makersIn(source).flatMap(([maker, name]) => {
    const calls = [...source.matchAll(new RegExp(`(?<![.\\w#])(?:new\\s+)?${name}\\s*(?:<[^>]*>)?\\(`, 'g'))];
    return calls.some(({ index }) => !isHeard(source, index)) ? [maker] : [];
  });
}

function isHeard(source: string, at: number): boolean {
  const [, variable] =
    /([\w$]+)(?:\s*:\s*[^=;{}\n]+)?\s*=\s*(?:await\s+)?$/.exec(source.slice(Math.max(0, at - 120), at)) ?? [];
  if (variable === undefined) return false;
  return new RegExp(`(?<![\\w])${variable}\\b(?:\\?)?(?:\\s*\\.\\w+\\((?:[^;]*?)\\))*?\\s*\\.on\\(\\s*'error'`).test(
    source,
  );
}

/** The makers that a file imports, by the name that they have there. */
function makersIn(source: string): (readonly [maker: string, name: string])[] {
  return [...source.matchAll(/import\s+\{([^}]*)\}\s+from\s+'([^']+)'/g)].flatMap(([, names = '', module = '']) =>
    names.split(',').flatMap((each) => {
      const [maker = '', name = maker] = each.trim().split(/\s+as\s+/);
      return makers[module]?.includes(maker) ? [[maker, name] as const] : [];
    }),
  );
}
