import { z } from 'zod';
import type { ToolAnswer } from '../api/tool-host.ts';
import { MachineError } from '../machine/errors.ts';
import type { GuestAgentCapability, ProgramEnd } from '../machine/guest-agent.ts';
import { counted } from './debug/code-place.ts';
import { fileLimits } from './file-limits.ts';
import { defineTool, type ToolContext } from './tool.ts';

const actions = ['about', 'addresses', 'exec', 'read_file', 'write_file', 'freeze', 'thaw'] as const;

const changes: ReadonlySet<(typeof actions)[number]> = new Set(['exec', 'write_file', 'freeze', 'thaw']);

const input = z.object({
  action: z.enum(actions).default('about'),
  command: z.string().min(1).max(65_536).optional().describe('exec: a line for /bin/sh'),
  program: z.string().min(1).max(4096).optional().describe('exec: path of a program instead, with "args"'),
  args: z.array(z.string().max(65_536)).max(256).default([]),
  stdin: z.string().max(1_000_000).optional().describe('exec: its standard input'),
  file: z.string().min(1).max(4096).optional().describe('read_file, write_file: path in the guest'),
  offset: z.number().int().min(0).default(0).describe('read_file: first byte'),
  text: z.string().max(1_000_000).optional().describe('write_file: what to write'),
  path: z.string().optional().describe('read_file: new file here to put it into; write_file: file here to send'),
  timeout_ms: z.number().int().min(100).max(50_000).default(20_000).describe('exec'),
});
type Input = z.output<typeof input>;

/** Of what a program or a file says, without a file to put it into. */
const shownBytes = 20_000;

export const guestAsk = defineTool({
  name: 'guest_ask',
  title: 'Ask the guest agent',
  description:
    'Through qemu-ga in the guest, no console needed: "about", "addresses" (its network), "exec" (run a command, get output and exit code), ' +
    '"read_file", "write_file", "freeze" and "thaw" (all file systems, for a clean snapshot). The machine must have been started with "guest_agent":true.',
  toolset: 'guest',
  needs: ['guestAgent'],
  effect: 'change',
  letsTimePass: true,
  openWorld: true,
  input,
  confirm({ guestAgent: { writePolicy } }, { action, command, program }) {
    if (action === 'freeze') return 'Freeze all file systems of the guest? Its programs wait until they are thawed.';
    if (writePolicy !== 'confirm' || !changes.has(action)) return undefined;
    return action === 'exec' ? `Run ${command ?? program} in the guest?` : `Let the guest agent do ${action}?`;
  },
  async run({ guestAgent: agent }, asked, context) {
    if (agent.writePolicy === 'deny' && changes.has(asked.action))
      throw new MachineError(
        'DENIED',
        'Agents may not change this guest (write_policy deny).',
        'about, addresses and read_file are allowed.',
      );
    requireFor(asked);
    return await carryOut[asked.action](agent, asked, context);
  },
});

type Action = (agent: GuestAgentCapability, asked: Input, context: ToolContext) => Promise<ToolAnswer>;

const carryOut: Readonly<Record<(typeof actions)[number], Action>> = {
  async about(agent) {
    const about = await agent.about();
    const { version, system, hostname, fileSystems, commands } = about;
    const facts = [hostname, system, fileSystems === undefined ? undefined : `file systems ${fileSystems}`];
    const known = facts.filter((fact) => fact !== undefined).join('; ');
    return {
      text: `qemu-ga ${version}, ${commands.length} commands${known === '' ? '' : `; ${known}`}`,
      data: { ...about },
    };
  },
  async addresses(agent) {
    const interfaces = await agent.interfaces();
    const lines = interfaces.map(
      ({ name, mac, addresses }) => `${name} ${mac ?? ''}  ${addresses.join(' ') || 'no address'}`,
    );
    return { text: lines.join('\n') || 'The guest has no network interface.', data: { interfaces } };
  },
  async exec(agent, { command, program, args, stdin, timeout_ms: timeoutMs }, { signal }) {
    const run = command === undefined ? { path: program ?? '', args } : { path: '/bin/sh', args: ['-c', command] };
    const given = stdin === undefined ? run : { ...run, input: Buffer.from(stdin) };
    return ended(await agent.execute(given, timeoutMs, signal));
  },
  async read_file(agent, { file = '', offset, path }, { rack, signal }) {
    if (path !== undefined) await rack.files.requireNew(path);
    const { bytes, isEnd } = await agent.readFile(
      file,
      offset,
      path === undefined ? shownBytes : fileLimits.medium,
      signal,
    );
    const data = { bytes: bytes.length, complete: isEnd, next: offset + bytes.length };
    const rest = isEnd ? '' : `; more follows: "offset":${data.next}`;
    if (path !== undefined) {
      await rack.writeFile(path, bytes);
      return { text: `${bytes.length} bytes in ${path}${rest}`, data };
    }
    const text = textOf(bytes);
    if (text === undefined) {
      const fix = 'Give "path", a new file here to put it into.';
      throw new MachineError('INVALID_ARGUMENT', `${file} is not text.`, fix, data);
    }
    return { text: `${text}${isEnd ? '' : `\n(${bytes.length} bytes shown${rest})`}`, data: { ...data, text } };
  },
  async write_file(agent, { file = '', text, path }, { rack, signal }) {
    const bytes = path === undefined ? Buffer.from(text ?? '') : await rack.files.read(path, fileLimits.medium);
    await agent.writeFile(file, bytes, signal);
    return { text: `${counted(bytes.length, 'byte')} written to ${file} in the guest`, data: { bytes: bytes.length } };
  },
  async freeze(agent) {
    const count = await agent.freeze();
    return { text: `${count} file systems are frozen until "thaw"`, data: { count } };
  },
  async thaw(agent) {
    const count = await agent.thaw();
    return { text: `${count} file systems were thawed`, data: { count } };
  },
};

function requireFor({ action, command, program, file, text, path }: Input): void {
  if (action === 'exec' && (command === undefined) === (program === undefined))
    throw refusal('exec takes "command", or "program" with "args".', '{"action":"exec","command":"uname -a"}');
  if ((action === 'read_file' || action === 'write_file') && file === undefined)
    throw refusal(`${action} takes "file", the path in the guest.`, `{"action":"${action}","file":"/etc/hostname"}`);
  if (action === 'write_file' && (text === undefined) === (path === undefined))
    throw refusal(
      'write_file takes "text", or "path" of a file here.',
      '{"action":"write_file","file":"/tmp/a","text":"…"}',
    );
}

function refusal(message: string, form: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', message, `Write ${form}.`);
}

function ended({ exitCode, signal, output, errors, isCut }: ProgramEnd): ToolAnswer {
  const how = signal === undefined ? `exit code ${exitCode ?? 'unknown'}` : `ended by signal ${signal}`;
  const said = [
    ...(output.length > 0 ? [shown(output)] : []),
    ...(errors.length > 0 ? [`standard error:\n${shown(errors)}`] : []),
    ...(isCut ? ['(the agent kept only the beginning)'] : []),
  ];
  const data = {
    ...(exitCode !== undefined && { exit_code: exitCode }),
    ...(signal !== undefined && { signal }),
    stdout: shown(output),
    stderr: shown(errors),
    truncated: isCut || output.length > shownBytes || errors.length > shownBytes,
  };
  return { text: [how, ...said].join('\n'), data };
}

/** The end of it, which says how it went. */
function shown(bytes: Uint8Array): string {
  const left = bytes.length - shownBytes;
  const text = Buffer.from(bytes.subarray(Math.max(0, left))).toString();
  return left > 0 ? `(${left} bytes before these)\n${text}` : text;
}

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    // A character may be cut at the end of a part.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}
