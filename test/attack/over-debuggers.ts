import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { answers, requests } from '../../src/gym/gym-connection.ts';
import { encodePacket } from '../../src/links/gdb/packet.ts';
import type { AttackCase, AttackGroup } from './attack-case.ts';
import { type Battlefield, secret } from './battlefield.ts';
import { asNobody } from './over-sockets.ts';

const patienceMs = 20_000;

/** Sends bytes to a port or a socket, and gives what comes until it ends, `isEnough` says so, or long nothing comes. */
async function said(
  where: { readonly port: number } | { readonly path: string },
  bytes: Uint8Array,
  isEnough: (received: Buffer) => boolean,
  quietMs = patienceMs,
): Promise<Buffer> {
  const socket: Socket = 'port' in where ? connect(where.port, '127.0.0.1') : connect(where.path);
  let received = Buffer.alloc(0);
  const over = new Promise<void>((resolve) => {
    socket.setTimeout(quietMs, resolve);
    socket.on('error', () => resolve()).on('close', () => resolve());
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (isEnough(received)) resolve();
    });
  });
  socket.write(bytes);
  await over;
  socket.destroy();
  return received;
}

const junk = [
  '\0',
  'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
  'POST / HTTP/1.1\r\nContent-Length: 6\r\n\r\n$k#6b',
  '\x16\x03\x01\x02\x00\x01',
  '$',
  '$#00',
  '$#',
  '$k#6b',
  '$D#44',
  `${encodePacket('c')}${encodePacket('c')}`,
  encodePacket('vCont;c').repeat(100),
  encodePacket('mffffffffffffffff,ffffffff'),
  encodePacket('M0,ffffffff:00'),
  encodePacket('X0,2:}'),
  encodePacket('Z0,ffffffffffffffff,ffff'),
  encodePacket('Z4,0,1').repeat(40),
  encodePacket(`qRcmd,${Buffer.from('__proto__').toString('hex')}`),
  encodePacket(`qRcmd,${Buffer.from('disassemble 0 1e99').toString('hex')}`),
  encodePacket('qXfer:features:read:../../etc/passwd:0,fff'),
  encodePacket('vFile:open:2f6574632f706173737764,0,0'),
  encodePacket('vRun;2f62696e2f7368'),
  encodePacket(`G${'f'.repeat(30_000)}`),
  `$${'*~'.repeat(15_000)}#00`,
  '-'.repeat(30_000),
  '\x03'.repeat(30_000),
  '+'.repeat(30_000),
  'Content-Length: 0\r\n\r\n',
  'Content-Length: 2\r\n\r\n{}',
  'Content-Length: 4\r\n\r\nnull',
  'Content-Length: 99999999\r\n\r\n',
  `Content-Length: 5\r\n${'A: b\r\n'.repeat(5000)}`,
  `Content-Length: 60000\r\n\r\n${'['.repeat(60_000)}`,
  `content-length: 3\r\n\r\n[1]`.repeat(200),
];

/** What comes back over the port of an IDE is looked at; each of these must be refused. */
const refusedOfIdes = (field: Battlefield): readonly (readonly [command: string, args: unknown])[] => {
  const outside = field.at('outside/secret.txt');
  const typed = (expression: string) => ['evaluate', { expression, context: 'repl' }] as const;
  return [
    ['launch', { kind: 'c64' }],
    ['launch', { kind: 'console', options: { command: ['id'] } }],
    ['attach', { machine: 'nobody' }],
    ['attach', { symbols: [outside] }],
    ['attach', { machine: 'c64', symbols: ['/etc/passwd'] }],
    ['__proto__', {}],
    ['constructor', {}],
    typed('machine_start {"kind":"console","options":{"command":["id"]}}'),
    typed('machine_stop {}'),
    typed(`program_run {"path":${JSON.stringify(outside)}}`),
    typed(`symbols_load {"path":${JSON.stringify(outside)}}`),
    typed(`media_attach {"path":${JSON.stringify(outside)}}`),
    typed(`names_export {"format":"symbols","path":${JSON.stringify(outside)}}`),
    typed(`tool_find {"tool":"machine_start","arguments":{"kind":"c64"}}`),
    typed('monitor_execute {"command":"quit"}'),
    ['setVariable', { variablesReference: 1000, name: '__proto__', value: '1' }],
    ['readMemory', { memoryReference: '9'.repeat(10_000), count: 1 }],
    ['writeMemory', { memoryReference: '0', data: 'A'.repeat(200_000) }],
  ];
};

const messages = (list: readonly (readonly [string, unknown])[]) =>
  Buffer.concat(
    list.map(([command, args], index) => {
      const body = Buffer.from(JSON.stringify({ seq: index + 1, type: 'request', command, arguments: args }));
      return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
    }),
  );

export const debuggers: AttackGroup = {
  name: 'ports of debuggers',
  cases: (field) => {
    const ports = Object.entries(field.ports);
    const noise = ports.flatMap(([protocol, port]) =>
      junk.map(
        (text, index): AttackCase => ({
          name: `${protocol} ${index}`,
          run: async () => {
            await said({ port }, Buffer.from(text, 'latin1'), () => false, 30);
            return field.damage();
          },
        }),
      ),
    );
    const others = ports.map(
      ([protocol, port]): AttackCase => ({
        name: `${protocol} by another user`,
        run: async () => {
          const hello = protocol === 'gdb' ? encodePacket('qC') : messages([['initialize', {}]]).toString('latin1');
          return process.getuid?.() === 0 ? asNobody({ port, hello }) : undefined;
        },
      }),
    );
    const asked = refusedOfIdes(field).map(
      ([command, args]): AttackCase => ({
        name: `IDE: ${command} ${JSON.stringify(args).slice(0, 80)}`,
        run: async () => {
          const bytes = messages([
            ['attach', {}],
            [command, args],
          ]);
          const isAnswered = (received: Buffer) => /"request_seq":2[,}]/.test(received.toString());
          const text = (await said({ port: field.ports.dap }, bytes, isAnswered)).toString();
          if (text.includes(secret)) return 'the secret';
          const answer = /\{[^{}]*"request_seq":2,[\s\S]*?"success":(true|false)/.exec(text)?.[1];
          return answer === 'false' ? undefined : `carried out: ${text.slice(-200)}`;
        },
      }),
    );
    return [...noise, ...others, ...asked];
  },
};

const gymOpens = (field: Battlefield): readonly unknown[] => {
  const outside = field.at('outside/secret.txt');
  return [
    { kind: 'c64', from: { program: outside } },
    { kind: 'c64', from: { snapshot: outside } },
    { kind: 'c64', from: { program: field.at('write/link/secret.txt') } },
    { kind: 'c64', from: { program: '/etc/passwd' } },
    { kind: 'c64', options: { roms: field.at('outside') } },
    { kind: 'dos', options: { folder: field.at('outside') } },
    { kind: 'qemu', options: { arch: 'x86_64', drives: [outside] } },
    { kind: 'qemu', options: { arch: 'x86_64', extra: ['-monitor', 'stdio'] } },
    { kind: 'console', options: { command: ['id'] } },
    { kind: 'console', options: { device: '/dev/mem' } },
    { kind: '__proto__' },
    { kind: 'c64', read: ['/'] },
    { kind: 'c64', count: 4096, observe: { pixels: { width: 1024, height: 1024, grey: false } } },
    { kind: 'c64', count: 1e9 },
    { kind: 'c64', reward: '('.repeat(4000) },
    { kind: 'c64', players: Array(5).fill([{}, {}]) },
    'null',
    [],
  ];
};

const gymRequest = (type: number, body: Uint8Array, length = body.length) =>
  Buffer.concat([Buffer.from(Uint32Array.of(length, type).buffer), body]);

/** A socket of environments, served by a program of its own. */
export const gym: AttackGroup = {
  name: 'the socket of environments',
  cases: (field) => {
    const path = field.at('run', 'gym');
    const child = field.sandbox.spawn([
      'gym',
      path,
      '--allow-read',
      field.at('read'),
      '--allow-path',
      field.at('write'),
    ]);
    child.stderr.resume();
    const listens = once(child.stdout, 'data');
    const refusedBytes = (name: string, bytes: Uint8Array): AttackCase => ({
      name,
      run: async () => {
        await listens;
        const whole = (received: Buffer) => received.length >= 8 && received.length >= 8 + received.readUInt32LE(0);
        const received = await said({ path }, bytes, whole);
        if (child.exitCode !== null) return `the program ended with ${child.exitCode}`;
        if (received.includes(secret)) return 'the secret';
        return received.length >= 8 && received.readUInt32LE(4) === answers.error ? undefined : 'it was not refused';
      },
    });
    const opens = gymOpens(field).map((spec) =>
      refusedBytes(
        `open ${JSON.stringify(spec).slice(0, 80)}`,
        gymRequest(requests.open, Buffer.from(JSON.stringify(spec))),
      ),
    );
    const types = [0, 2, 3, 4, 5, 6, 7, 8, 9, 128, 255, 2 ** 32 - 1];
    const early = types.map((type) => refusedBytes(`type ${type} before open`, gymRequest(type, Buffer.alloc(16))));
    const long = types.map((type) =>
      refusedBytes(`type ${type}, too long`, gymRequest(type, Buffer.alloc(0), 2 ** 32 - 1)),
    );
    return [...opens, ...early, ...long];
  },
};
