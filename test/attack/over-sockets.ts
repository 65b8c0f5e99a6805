import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { WebSocket } from 'ws';
import { socketCases } from '../fuzz/http-cases.ts';
import type { AttackCase, AttackGroup } from './attack-case.ts';
import type { Battlefield } from './battlefield.ts';

async function opens(
  field: Battlefield,
  headers: Record<string, string>,
  protocols: readonly string[],
  target = '/view',
): Promise<string | undefined> {
  const page = new WebSocket(new URL(target, field.server.url).href.replace('http', 'ws'), [...protocols], { headers });
  const end = new Promise<string | undefined>((resolve) => {
    page.on('open', () => resolve('it was opened'));
    page.on('error', () => resolve(undefined));
    page.on('close', () => resolve(undefined));
  });
  const result = await end;
  page.terminate();
  return result;
}

export const pageSocket: AttackGroup = {
  name: 'WebSocket',
  cases: (field) => {
    const bearer = { authorization: `Bearer ${field.token}` };
    const wrong: readonly (readonly [string, Record<string, string>, readonly string[], string?])[] = [
      ['no token', {}, ['frontpanel']],
      ['a wrong token', { authorization: 'Bearer wrong-token-0123456789' }, ['frontpanel']],
      ['the token as a protocol', {}, ['frontpanel', 'token-of-the-owner-012345678']],
      ['a token in the address', {}, ['frontpanel'], '/view?token=wrong'],
      ['another origin', { ...bearer, origin: 'https://evil.example' }, ['frontpanel']],
      ['origin null', { ...bearer, origin: 'null' }, ['frontpanel']],
      ['another host', { ...bearer, host: 'evil.example' }, ['frontpanel']],
      ['another target', bearer, ['frontpanel'], '/mcp'],
      ['a target above', bearer, ['frontpanel'], '/../view/x'],
    ];
    const refused = wrong.map(
      ([name, headers, protocols, target]): AttackCase => ({
        name,
        run: () => opens(field, headers, protocols, target),
      }),
    );
    const frames = fc.sample(socketCases, { numRuns: 60, seed: 4711 }).map(
      ({ steps }, index): AttackCase => ({
        name: `frames ${index}`,
        run: async () => {
          const page = new WebSocket(new URL('/view', field.server.url).href.replace('http', 'ws'), 'frontpanel', {
            headers: bearer,
          });
          page.on('error', () => {});
          await once(page, 'open');
          for (const step of steps) {
            if ('text' in step) page.send(step.text);
            else Object(Reflect.get(page, '_socket')).write(step.bytes);
          }
          await sleep(5);
          page.terminate();
          return field.damage();
        },
      }),
    );
    return [...refused, ...frames];
  },
};

const junk = [
  '',
  '\0',
  '{',
  '{}\n',
  'null\n',
  '[]\n',
  '{"hello":{}}\n',
  '{"hello":{"name":"\\u001b[2J"}}\n',
  '{"do":"force"}\n',
  '{"type":"x"}\n',
  `${'x'.repeat(300_000)}\n`,
  '{"__proto__":{"a":1}}\n',
  '\xff\xfe\x00\n',
];

export const unixSockets: AttackGroup = {
  name: 'sockets of consoles',
  cases: (field) => {
    const sockets = socketsOf(field.at('run'));
    const others =
      process.getuid?.() === 0
        ? sockets.map((path) => ({
            name: `another user at ${path.split('/').at(-1)}`,
            run: async () => asNobody({ path, hello: '' }),
          }))
        : [];
    const modes = foldersAbove(sockets, field.at('run', 'frontpanel')).map((folder) => ({
      name: `the mode of ${folder.split('/').at(-1)}`,
      run: async () => ((statSync(folder).mode & 0o077) === 0 ? undefined : `others get into ${folder}`),
    }));
    const typed = sockets.flatMap((path) =>
      junk.map((text, index) => ({ name: `${path.split('/').at(-1)} ${index}`, run: () => pushed(path, text, field) })),
    );
    return [...others, ...modes, ...typed];
  },
};

async function pushed(path: string, text: string, field: Battlefield): Promise<string | undefined> {
  const socket = connect(path);
  socket.on('error', () => {});
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => {});
  socket.write(Buffer.from(text, 'latin1'));
  await sleep(5);
  socket.destroy();
  return field.damage();
}

/** Another user connects to a socket, or says something to a port and is answered. */
export function asNobody(
  where: { readonly hello: string } & ({ readonly path: string } | { readonly port: number }),
): string | undefined {
  const isIn = 'port' in where ? 'data' : 'connect';
  const script = `const s=require('net').connect(${JSON.stringify(where)});s.on('${isIn}',()=>process.exit(7)).on('error',()=>process.exit(0)).on('close',()=>process.exit(0));s.write(${JSON.stringify(where.hello)})`;
  const { status } = spawnSync(process.execPath, ['-e', script], { uid: 65_534, gid: 65_534, cwd: '/', env: {} });
  return status === 7 ? 'another user was let in' : undefined;
}

function socketsOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isSocket());
}

function foldersAbove(paths: readonly string[], top: string): string[] {
  const folders = paths.map((path) => path.slice(0, path.lastIndexOf('/')));
  return [...new Set(folders)].filter((folder) => folder.startsWith(top));
}
