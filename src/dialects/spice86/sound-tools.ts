import { z } from 'zod';
import type { Caller, ToolHost } from '../../api/tool-host.ts';
import { type DialectTool, defineDialectTool } from '../dialect.ts';
import {
  byte,
  changes,
  hexBytes,
  nothing,
  numberOf,
  partNumbers,
  partState,
  port,
  reads,
  writePart,
} from './chip-calls.ts';
import { definePausingTool, executionError } from './dos-machine.ts';

const blaster = { chip: 'sound_blaster', part: 'registers' } as const;
const mixer = { chip: 'sound_blaster', part: 'mixer' } as const;
const opl = { chip: 'opl', part: 'registers' } as const;
const speaker = { chip: 'speaker', part: 'registers' } as const;
const [midiData, midiControl] = [0x330, 0x331];
const midi = { reset: 0xff, uart: 0x3f } as const;
const mostMidiBytes = 256;

const readIoPort = definePausingTool({
  name: 'read_io_port',
  title: 'Read a port',
  description: 'A byte, read as IN does it, with all effects.',
  annotations: changes,
  input: z.strictObject({ port }),
  async call({ port: index }, host, caller) {
    const value = await portValue(host, caller, index);
    await writePart(host, caller, { chip: 'ports', part: 'port', index }, { in: 1 });
    return { port: index, value };
  },
});

const writeIoPort = definePausingTool({
  name: 'write_io_port',
  title: 'Write a port',
  description: 'A byte, written as OUT does it.',
  annotations: changes,
  input: z.strictObject({ port, value: byte }),
  async call({ port: index, value }, host, caller) {
    await out(host, caller, index, value);
    return { success: true, port: index, value };
  },
});

const readBlaster = defineDialectTool({
  name: 'read_sound_blaster_state',
  title: 'Read the Sound Blaster',
  description: 'Version, speaker, sample rate, what it plays, its addresses.',
  annotations: reads,
  input: nothing,
  call: (_input, host, caller) => partState(host, caller, blaster),
});

const setBlasterSpeaker = definePausingTool({
  name: 'sound_blaster_set_speaker',
  title: 'Switch the Sound Blaster’s speaker',
  description: 'On or off, as DSP commands D1h and D3h do.',
  annotations: { ...changes, idempotentHint: true },
  input: z.strictObject({ enabled: z.boolean() }),
  async call({ enabled }, host, caller) {
    await writePart(host, caller, blaster, { speaker: enabled ? 1 : 0 });
    return { success: true, enabled };
  },
});

const readDspVersion = defineDialectTool({
  name: 'read_sound_blaster_dsp_version',
  title: 'Read the DSP’s version',
  description: 'As DSP command E1h answers.',
  annotations: reads,
  input: nothing,
  async call(_input, host, caller) {
    const numbers = await partNumbers(host, caller, blaster);
    return { major: numberOf(numbers, 'version_major'), minor: numberOf(numbers, 'version_minor') };
  },
});

const readMixer = defineDialectTool({
  name: 'read_sound_blaster_mixer_state',
  title: 'Read the mixer',
  description: 'Its registers that are in use, by number.',
  annotations: reads,
  input: nothing,
  async call(_input, host, caller) {
    return { registers: await partNumbers(host, caller, mixer) };
  },
});

const writeMixer = definePausingTool({
  name: 'sound_blaster_write_mixer_register',
  title: 'Write a register of the mixer',
  description: 'Through ports 224h and 225h.',
  annotations: { ...changes, idempotentHint: true },
  input: z.strictObject({ register: byte, value: byte }),
  call: ({ register, value }, host, caller) => writeRegister(host, caller, mixer, register, value),
});

const readOpl = defineDialectTool({
  name: 'read_opl_state',
  title: 'Read the OPL',
  description: 'All registers, and which voices sound.',
  annotations: reads,
  input: nothing,
  call: (_input, host, caller) => partState(host, caller, opl),
});

const writeOpl = definePausingTool({
  name: 'opl_write_register',
  title: 'Write a register of the OPL',
  description: 'Through ports 388h and 389h; 100h to 1FFh are the second set of an OPL3.',
  annotations: { ...changes, idempotentHint: true },
  input: z.strictObject({ register: z.number().int().min(0).max(0x1ff), value: byte }),
  call: ({ register, value }, host, caller) => writeRegister(host, caller, opl, register, value),
});

const readSpeaker = defineDialectTool({
  name: 'read_pc_speaker_state',
  title: 'Read the PC speaker',
  description: 'Gate, output and frequency.',
  annotations: reads,
  input: nothing,
  call: (_input, host, caller) => partState(host, caller, speaker),
});

const setSpeaker = definePausingTool({
  name: 'pc_speaker_set_control',
  title: 'Switch the PC speaker',
  description: 'The gate of timer 2 and the output, bits 0 and 1 of port 61h.',
  annotations: { ...changes, idempotentHint: true },
  input: z.strictObject({ timer2GateEnabled: z.boolean(), speakerOutputEnabled: z.boolean() }),
  async call({ timer2GateEnabled: gate, speakerOutputEnabled: output }, host, caller) {
    await writePart(host, caller, speaker, { gate: gate ? 1 : 0, output: output ? 1 : 0 });
    return { success: true, timer2GateEnabled: gate, speakerOutputEnabled: output };
  },
});

const readMidi = defineDialectTool({
  name: 'read_midi_state',
  title: 'Read the MIDI interface',
  description: 'Whether an MPU-401 answers at 330h, and what its status says.',
  annotations: reads,
  input: nothing,
  async call(_input, host, caller) {
    const numbers = await partNumbers(host, caller, { chip: 'ports', part: 'port', index: midiControl });
    if (numbers.answered !== true) return { isPresent: false, basePort: midiData };
    const status = numberOf(numbers, 'value');
    return {
      isPresent: true,
      basePort: midiData,
      status,
      canTakeData: (status & 0x40) === 0,
      hasData: (status & 0x80) === 0,
    };
  },
});

function midiCommand(name: string, title: string, description: string, command: number) {
  return definePausingTool({
    name,
    title,
    description,
    annotations: changes,
    input: nothing,
    async call(_input, host, caller) {
      await requireMidi(host, caller);
      await out(host, caller, midiControl, command);
      return { success: true };
    },
  });
}

const sendMidi = definePausingTool({
  name: 'midi_send_bytes',
  title: 'Send MIDI bytes',
  description: 'Given as hexadecimal text, to port 330h.',
  annotations: changes,
  input: z.strictObject({ data: z.string().max(2000) }),
  async call({ data }, host, caller) {
    await requireMidi(host, caller);
    const bytes = hexBytes(data, mostMidiBytes);
    for (const value of bytes) await out(host, caller, midiData, value);
    return { success: true, length: bytes.length };
  },
});

async function writeRegister(
  host: ToolHost,
  caller: Caller,
  part: typeof mixer | typeof opl,
  register: number,
  value: number,
) {
  await writePart(host, caller, part, { [`0x${register.toString(16)}`]: value });
  return { success: true, register, value };
}

async function requireMidi(host: ToolHost, caller: Caller): Promise<void> {
  const numbers = await partNumbers(host, caller, { chip: 'ports', part: 'port', index: midiControl });
  if (numbers.answered !== true) throw executionError('this PC has no MPU-401: nothing answers at port 331h.');
}

async function portValue(host: ToolHost, caller: Caller, index: number): Promise<number> {
  return numberOf(await partNumbers(host, caller, { chip: 'ports', part: 'port', index }), 'value');
}

async function out(host: ToolHost, caller: Caller, index: number, value: number): Promise<void> {
  await writePart(host, caller, { chip: 'ports', part: 'port', index }, { out: value });
}

/** Ports and what makes sound. */
export const soundTools: readonly DialectTool[] = [
  readIoPort,
  writeIoPort,
  readBlaster,
  setBlasterSpeaker,
  readDspVersion,
  readMixer,
  writeMixer,
  readOpl,
  writeOpl,
  readSpeaker,
  setSpeaker,
  readMidi,
  midiCommand('midi_reset', 'Reset the MIDI interface', 'Command FFh to port 331h.', midi.reset),
  midiCommand('midi_enter_uart_mode', 'Enter UART mode', 'Command 3Fh to port 331h.', midi.uart),
  sendMidi,
];
