import { z } from 'zod';
import { MachineError } from '../machine/errors.ts';
import { portNamed } from './console/port-named.ts';
import { defineTool } from './tool.ts';

export const consoleSetup = defineTool({
  name: 'console_setup',
  title: 'Set a console up',
  description: "Change the size of a console's screen model, or open a terminal window on it for the user.",
  toolset: 'more',
  needs: ['console'],
  effect: 'change',
  openWorld: true,
  input: z.object({
    port: z.string().optional(),
    columns: z.number().int().min(2).max(500).optional(),
    rows: z.number().int().min(1).max(200).optional(),
    terminal: z.string().optional().describe('"auto", or a name such as "tmux" or "xterm"'),
  }),
  async run(machine, { port: name, columns, rows, terminal }) {
    const port = portNamed(machine.console, name);
    if (columns === undefined && rows === undefined && terminal === undefined) {
      throw new MachineError('INVALID_ARGUMENT', 'Nothing to change.', 'Give columns and rows, or terminal.');
    }
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
    return { text: done.join('\n'), data };
  },
});
