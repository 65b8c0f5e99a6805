import { z } from 'zod';
import { advice, call, MachineError } from '../machine/errors.ts';
import { describeVisitor } from './console/describe-visitor.ts';
import { portFor } from './console/port-for.ts';
import { portNamed } from './console/port-named.ts';
import { changeSerialLine, isSerialChange, serialArguments } from './console/serial-arguments.ts';
import { defineTool } from './tool.ts';

export const consoleSetup = defineTool({
  name: 'console_setup',
  title: 'Set a console up',
  description:
    "Change the size of a console's screen model, open a terminal window on it for the user, claim the line so that " +
    'only you can write, or set a serial port (framing: RFC 2217 only). Without settings, reports the current ones.',
  toolset: 'guest',
  needs: ['console'],
  effect: 'change',
  openWorld: true,
  input: z.object({
    port: z.string().optional(),
    columns: z.number().int().min(2).max(500).optional(),
    rows: z.number().int().min(1).max(200).optional(),
    terminal: z.string().optional().describe('"auto", or a name such as "tmux" or "xterm"'),
    writer: z
      .enum(['claim', 'force', 'release'])
      .optional()
      .describe('claim: only you may write; force: even if another has the line; release: everybody may write again'),
    ...serialArguments,
  }),
  confirm({ console: lines }, { port: name, writer, ...changes }) {
    const { access, writePolicy, link } = portNamed(lines, name);
    if (writer === 'force' && access.writer?.kind === 'person') {
      return `Take ${link.target} from ${access.writer.name}, who asked to be the only one to write?`;
    }
    return writePolicy === 'confirm' && isSerialChange(changes) ? `Change settings of ${link.target}?` : undefined;
  },
  async run(machine, input, context) {
    const { port: name, columns, rows, terminal, writer } = input;
    const port = portFor(machine.console, name, context);
    const done: string[] = [];
    const data: Record<string, unknown> = {};
    if (columns !== undefined || rows !== undefined) {
      const now = await port.screen.read();
      const size = { columns: columns ?? now.columns, rows: rows ?? now.rows };
      await port.screen.resize(size.columns, size.rows);
      done.push(
        `the screen is ${size.columns}x${size.rows}; tell the guest too, e.g. run "stty cols ${size.columns} rows ${size.rows}"`,
      );
      Object.assign(data, size);
    }
    if (terminal !== undefined) {
      const window = await port.humans.openTerminal(terminal);
      done.push(`${window.terminal} opened${window.pid === undefined ? '' : ` (pid ${window.pid})`}`);
      Object.assign(data, { terminal: window.terminal, terminal_pid: window.pid ?? null });
    }
    if (writer !== undefined) {
      const me = { id: context.session, name: context.client, kind: 'agent' as const };
      if (writer !== 'release') {
        if (port.writePolicy === 'deny') {
          const fix = [
            advice`Reading is allowed: ${call('console_read')}.`,
            advice`A person can type with frontpanel attach.`,
          ];
          throw new MachineError('DENIED', 'Agents may not type on this console (write_policy deny).', fix);
        }
        port.access.claim(me, writer === 'force');
      } else if (!port.access.release(me)) done.push('you did not have the line');
    }
    const serial = await changeSerialLine(port, input);
    const holder = port.access.writer;
    const line = holder ? `${describeVisitor(holder)} has the line; nobody else may write` : 'everybody may write';
    const others = port.access.present.map((each) => `${describeVisitor(each)}${each.spying ? ' watching' : ''}`);
    return {
      text: [...done, ...serial.lines, line, `on: ${others.join(', ') || 'nobody'}`].join('\n'),
      data: { ...data, ...serial.data, writer: holder?.name ?? null, present: port.access.present },
    };
  },
});
