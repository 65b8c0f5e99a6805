import { once } from 'node:events';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { rpcLines } from '../fuzz/http-cases.ts';
import type { AttackCase, AttackGroup } from './attack-case.ts';
import { type Battlefield, secret } from './battlefield.ts';

/** Calls that are taken back as soon as they are made, and once more. */
const takenBack = Array.from({ length: 300 }, (_, number) => {
  const params = { name: 'machine_kinds', arguments: { kind: 'qemu' } };
  const cancel = JSON.stringify({
    ...{ jsonrpc: '2.0', method: 'notifications/cancelled' },
    params: { requestId: `back ${number}` },
  });
  return [JSON.stringify({ jsonrpc: '2.0', id: `back ${number}`, method: 'tools/call', params }), cancel, cancel];
})
  .flat()
  .join('\n');

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const lines = [
  '',
  '\0',
  'null',
  '[]',
  '{}',
  '"text"',
  '{"jsonrpc":"2.0"}',
  '{"jsonrpc":"2.0","method":5,"id":1}',
  '\ufeff{}',
  deep(100_000),
  '{"jsonrpc":"2.0","id":{},"method":"ping"}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}',
  '{"jsonrpc":"2.0","id":1,"method":"__proto__"}',
  '{"jsonrpc":"2.0","id":1,"method":"constructor","params":{"__proto__":{}}}',
  `{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(1_000_000)}"}`,
  `"${'y'.repeat(11_000_000)}"`,
  takenBack,
  '{"id":1e999}',
  '\xff\xfe\xfd',
  '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}',
  '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"../../../etc/passwd"}}',
];

/** Each line goes to a server on pipes, which then has to answer a ping. */
export const stdioLines: AttackGroup = {
  name: 'lines on standard input',
  cases: (field) => {
    const stdio = new Pipes(field);
    const sampled = fc.sample(rpcLines, { numRuns: 60, seed: 4711 });
    const made = [...lines, ...sampled.map((line) => line.replaceAll('\n', ' '))];
    return made.map(
      (line, index): AttackCase => ({
        name: `line ${index}: ${line.slice(0, 40)}`,
        run: () => stdio.survives(line, index),
      }),
    );
  },
};

class Pipes {
  readonly #child;
  readonly #answers = new Map<unknown, () => void>();
  #seen = '';

  constructor({ sandbox }: Battlefield) {
    this.#child = sandbox.spawn(['--allow-read', `${sandbox.dir}/read`]);
    this.#child.setMaxListeners(0);
    this.#child.stderr.resume();
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      if (line.includes(secret) || line.includes('root:x:0')) this.#seen = line.slice(0, 200);
      const message: unknown = JSON.parse(line);
      this.#answers.get(Reflect.get(Object(message), 'id'))?.();
    });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'attack', version: '1' } };
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 'first', method: 'initialize', params })}\n`);
  }

  async survives(line: string, index: number): Promise<string | undefined> {
    const id = `ping ${index}`;
    const answered = new Promise<undefined>((resolve) => this.#answers.set(id, () => resolve(undefined)));
    this.#child.stdin.write(`${line}\n${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`);
    let late: NodeJS.Timeout | undefined;
    const end = await Promise.race([
      answered,
      once(this.#child, 'exit').then(([code]) => `the server ended with ${code}`),
      new Promise<string>((resolve) => {
        late = setTimeout(() => resolve('a ping was not answered'), 60_000);
      }),
    ]);
    clearTimeout(late);
    return end ?? (this.#seen || undefined);
  }
}
