import { z } from 'zod';
import type { ConsolePort, LineSettings, SerialLine } from '../../machine/console.ts';
import { MachineError } from '../../machine/errors.ts';
import { pause } from './pause.ts';

/** What can be changed on a serial port while it is open. */
export const serialArguments = {
  baud_rate: z.number().int().min(50).max(4_000_000).optional(),
  data_bits: z.literal([5, 6, 7, 8]).optional(),
  stop_bits: z.literal([1, 1.5, 2]).optional(),
  parity: z.enum(['none', 'even', 'odd', 'mark', 'space']).optional(),
  flow_control: z.enum(['none', 'rtscts', 'xonxoff']).optional(),
  dtr: z.boolean().optional(),
  rts: z.boolean().optional(),
  pulse_dtr_ms: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe('Invert the line for this long, then restore it'),
  pulse_rts_ms: z.number().int().min(1).max(10_000).optional(),
  purge: z.enum(['input', 'output', 'both']).optional().describe('Discard what is waiting in the port'),
};

type SerialInput = z.output<z.ZodObject<typeof serialArguments>>;

interface SerialReport {
  readonly lines: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
}

export function isSerialChange(input: Partial<SerialInput>): boolean {
  return Object.keys(serialArguments).some((name) => Reflect.get(input, name) !== undefined);
}

/** Makes the changes and reports how the line is; nothing where the link has no such things and none were asked for. */
export async function changeSerialLine(port: ConsolePort, input: SerialInput): Promise<SerialReport> {
  const { serial } = port;
  if (!serial) {
    if (isSerialChange(input)) throw noSerialLine(port);
    return { lines: [], data: {} };
  }
  const wanted = settingsOf(input);
  if (Object.keys(wanted).length > 0) await serial.configure(wanted);
  if (input.purge !== undefined) await serial.purge(input.purge);
  const { dtr, rts } = input;
  if (dtr !== undefined || rts !== undefined) {
    await serial.setLines({ ...(dtr !== undefined && { dtr }), ...(rts !== undefined && { rts }) });
  }
  if (input.pulse_dtr_ms !== undefined) await pulse(serial, 'dtr', input.dtr ?? true, input.pulse_dtr_ms);
  if (input.pulse_rts_ms !== undefined) await pulse(serial, 'rts', input.rts ?? true, input.pulse_rts_ms);
  return report(serial);
}

/** Boards are reset or put into their boot loader by such a pulse. The line is given back even if nobody waits. */
async function pulse(serial: SerialLine, line: 'dtr' | 'rts', rest: boolean, ms: number): Promise<void> {
  await serial.setLines({ [line]: !rest });
  await pause(ms);
  await serial.setLines({ [line]: rest });
}

async function report(serial: SerialLine): Promise<SerialReport> {
  const { baudRate, dataBits, stopBits, parity, flowControl } = serial.settings;
  const inputs = await serial.readLines().catch(() => undefined);
  const wires = Object.entries(inputs ?? {}).map(([name, on]) => `${name.toUpperCase()} ${on ? 'on' : 'off'}`);
  return {
    lines: [
      `${baudRate} baud, ${dataBits} data bits, parity ${parity}, ${stopBits} stop ${stopBits === 1 ? 'bit' : 'bits'}, flow control ${flowControl}`,
      ...(wires.length > 0 ? [wires.join(', ')] : []),
    ],
    data: {
      baud_rate: baudRate,
      data_bits: dataBits,
      stop_bits: stopBits,
      parity,
      flow_control: flowControl,
      ...inputs,
    },
  };
}

function settingsOf({ baud_rate, data_bits, stop_bits, parity, flow_control }: SerialInput): Partial<LineSettings> {
  return {
    ...(baud_rate !== undefined && { baudRate: baud_rate }),
    ...(data_bits !== undefined && { dataBits: data_bits }),
    ...(stop_bits !== undefined && { stopBits: stop_bits }),
    ...(parity !== undefined && { parity }),
    ...(flow_control !== undefined && { flowControl: flow_control }),
  };
}

function noSerialLine({ link }: ConsolePort): MachineError {
  if (link.state !== 'up') {
    return new MachineError('LINK_DOWN', `No link to ${link.target}.`, 'Wait for the event link_up and retry.');
  }
  const fix = 'Only serial devices and RFC 2217 ports have speed and control lines.';
  return new MachineError('UNAVAILABLE', `${link.target} has no such settings.`, fix);
}
