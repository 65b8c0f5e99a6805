import { z } from 'zod';

export const consoleOptions = z.strictObject({
  host: z.string().default('127.0.0.1').describe('TCP: host the console listens on'),
  port: z.number().int().min(1).max(65_535).default(4555).describe('TCP: its port'),
  telnet: z.boolean().default(false).describe('TCP or unix socket: use telnet (needed to send BREAK)'),
  rfc2217: z
    .boolean()
    .default(false)
    .describe('TCP: a serial port of another computer (ser2net, terminal servers): speed, control lines, BREAK'),
  socket: z.string().optional().describe('Unix socket to connect to instead of TCP'),
  device: z.string().optional().describe('Serial device instead of TCP, e.g. /dev/ttyUSB0, or rfc2217://HOST:PORT'),
  baud_rate: z.number().int().min(50).max(4_000_000).optional().describe('Device: speed; 115200 by default'),
  data_bits: z.literal([5, 6, 7, 8]).optional().describe('Device; 8 by default'),
  stop_bits: z.literal([1, 1.5, 2]).optional().describe('Device; 1 by default'),
  parity: z.enum(['none', 'even', 'odd', 'mark', 'space']).optional().describe('Device; none by default'),
  flow_control: z.enum(['none', 'rtscts', 'xonxoff']).optional().describe('Device; none by default'),
  command: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('Run this program (no shell) and use its stdin and stdout as the console; needs --allow-commands'),
  preset: z.string().optional().describe('Run a command that the user has allowed by this name, e.g. "virsh"'),
  parameters: z.record(z.string(), z.string()).optional().describe('Preset: its parameters, e.g. {"domain":"db1"}'),
  pty: z.boolean().default(false).describe('Command: run it on its own terminal, for programs that need one'),
  board: z
    .string()
    .regex(/^[\w.:/-]{1,100}$/)
    .optional()
    .describe(
      'Name of the device at the other end: of all consoles with this name, in a fleet on all hosts, only one has the line at a time',
    ),
  write_policy: z.enum(['allow', 'confirm', 'deny']).default('allow').describe('What agents may send'),
  columns: z.number().int().min(2).max(500).default(80).describe('Size of the screen model'),
  rows: z.number().int().min(1).max(200).default(24).describe('Size of the screen model'),
  ring_bytes: z.number().int().min(4096).max(1_073_741_824).default(10_485_760).describe('Output kept'),
  history_lines: z
    .number()
    .int()
    .min(0)
    .max(1000)
    .default(60)
    .describe('Lines of past output that a person sees on attaching'),
  filter: z.boolean().default(false).describe("Keep hostile escape sequences from people's terminals"),
  terminal: z.string().optional().describe('Open a terminal window for the user: "auto" or a name, e.g. "xterm"'),
  serial_links: z.boolean().optional().describe('Also link /tmp/serial_NAME.in and .out to the sockets'),
  record: z.string().optional().describe('Record to this new file from the start'),
});

export type ConsoleOptions = z.output<typeof consoleOptions>;
