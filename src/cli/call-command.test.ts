import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callTool, listTools, type ToolAnswer, type ToolServer, type ToolSummary } from './call-command.ts';
import { UsageError } from './usage-error.ts';

const tools: ToolSummary[] = [
  {
    name: 'console_send',
    title: 'Send',
    description: 'Sends text to a console. Then waits.',
    inputSchema: {
      properties: {
        machine: { type: 'string', description: 'Handle.' },
        text: { type: 'string' },
        keys: { type: 'array' },
        wait: { type: 'number', default: 20 },
        eol: { enum: ['cr', 'lf'] },
        raw: { type: ['boolean', 'null'] },
      },
      required: ['machine'],
    },
  },
  { name: 'machine_list', description: 'Lists machines', inputSchema: {} },
];

class RecordingServer implements ToolServer {
  readonly calls: [string, Record<string, unknown>][] = [];
  closed = 0;
  answer: ToolAnswer = { text: 'done', isError: false, images: [] };

  async list() {
    return tools;
  }

  async call(name: string, args: Record<string, unknown>) {
    this.calls.push([name, args]);
    return this.answer;
  }

  async close() {
    this.closed++;
  }
}

let server: RecordingServer;
let stdout: PassThrough;
let stderr: PassThrough;

beforeEach(() => {
  server = new RecordingServer();
  stdout = new PassThrough();
  stderr = new PassThrough();
});

afterEach(() => expect(server.closed).toBe(1));

function call(tool: string, words: string[], more: { stdin?: string; output?: string } = {}) {
  const stdin = Readable.from([more.stdin ?? '']);
  return callTool(server, { tool, words, stdin, stdout, stderr, output: more.output });
}

function printed(stream: PassThrough): string {
  return String(stream.read() ?? '');
}

describe('call', () => {
  test('JSON as an argument, on standard input, or nothing at all', async () => {
    await expect(call('console_send', ['{"machine":"c","text":"1"}'])).resolves.toBe(0);
    server.closed = 0;
    await call('console_send', ['-'], { stdin: '{"machine":\n"d"}' });
    server.closed = 0;
    await call('machine_list', []);
    expect(server.calls).toEqual([
      ['console_send', { machine: 'c', text: '1' }],
      ['console_send', { machine: 'd' }],
      ['machine_list', {}],
    ]);
    expect(printed(stdout)).toBe('done\ndone\ndone\n');
  });

  test('pairs follow the schema', async () => {
    const words = [
      'machine=c',
      'text=12=3',
      'wait=5',
      'keys=a',
      'keys=["b","c"]',
      'eol=cr',
      'raw=true',
      'other={"a":1}',
    ];
    await call('console_send', words);
    expect(server.calls[0]?.[1]).toEqual({
      machine: 'c',
      text: '12=3',
      wait: 5,
      keys: ['a', 'b', 'c'],
      eol: 'cr',
      raw: true,
      other: { a: 1 },
    });
  });

  test.each([
    [['{"a":'], 'is not JSON'],
    [['[1]'], 'give one JSON object'],
    [['machine'], 'give one JSON object'],
    [['wait=1', 'wait=2'], 'wait is given twice'],
  ])('%j is a usage error', async (words, problem) => {
    await expect(call('console_send', words)).rejects.toThrow(problem);
    expect(server.calls).toEqual([]);
  });

  test('an unknown tool is a usage error with the nearest name', async () => {
    const failure = call('console_sned', []);
    await expect(failure).rejects.toThrow(UsageError);
    await expect(failure).rejects.toThrow('Did you mean console_send?');
  });

  test('a tool that is switched off is said to be so', async () => {
    await expect(call('monitor_execute', [])).rejects.toThrow(
      'monitor_execute belongs to the toolset monitor, which is switched off. Start the server without --toolset, or add monitor to it.',
    );
  });

  test('an error answer makes the exit code 1', async () => {
    server.answer = { text: 'No machine c.\n', isError: true, images: [] };
    await expect(call('machine_list', [])).resolves.toBe(1);
    expect(printed(stdout)).toBe('No machine c.\n');
  });

  test('images are mentioned, and written only when a file is named', async () => {
    const image = (text: string) => ({ mimeType: 'image/png', data: Buffer.from(text).toString('base64') });
    server.answer = { text: 'two', isError: false, images: [image('one'), image('three')] };
    await call('machine_list', []);
    expect(printed(stderr)).toContain('An image (image/png, 3 bytes) was left out: --output FILE keeps it.');
    server.closed = 0;
    const directory = await mkdtemp(join(tmpdir(), 'frontpanel-call-'));
    try {
      await call('machine_list', [], { output: join(directory, 'screen.png') });
      expect(await readFile(join(directory, 'screen.png'), 'utf8')).toBe('one');
      expect(await readFile(join(directory, 'screen-2.png'), 'utf8')).toBe('three');
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describe('tools', () => {
  test('a line for each tool', async () => {
    await listTools(server, { stdout, name: undefined, json: false });
    expect(printed(stdout)).toBe('console_send  Sends text to a console.\nmachine_list  Lists machines\n');
  });

  test('one tool with its arguments', async () => {
    await listTools(server, { stdout, name: 'console_send', json: false });
    const text = printed(stdout);
    expect(text).toContain('console_send - Send\n\nSends text to a console. Then waits.\n');
    expect(text).toContain('  machine (string) [required]: Handle.\n');
    expect(text).toContain('  wait (number) [default 20]\n  eol (cr|lf)\n  raw (boolean|null)\n');
  });

  test('JSON, whole or for one', async () => {
    await listTools(server, { stdout, name: undefined, json: true });
    expect(JSON.parse(printed(stdout))).toEqual(tools);
    server.closed = 0;
    await listTools(server, { stdout, name: 'machine_list', json: true });
    expect(JSON.parse(printed(stdout))).toEqual(tools[1]);
  });
});
