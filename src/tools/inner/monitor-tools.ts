import { z } from 'zod';
import {
  longestSnapshotFile,
  readSnapshotFile,
  SnapshotFileError,
  writeSnapshotFile,
} from '../../formats/snapshot/snapshot-file.ts';
import { MachineError } from '../../machine/errors.ts';
import { addressOf } from '../debug/address.ts';
import { cpuArgument, seenBy } from '../debug/processor.ts';
import { defineTool } from '../tool.ts';

/** Of a processor, and where the beam is: what monitors show together. */
export const registersRead = defineTool({
  name: 'registers_read',
  title: 'Read registers',
  description: 'Registers of a processor by name, and where the beam is.',
  toolset: 'inner',
  needs: ['cpu', 'addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({ cpu: cpuArgument }),
  async run(machine, { cpu: name }) {
    const { cpu } = await seenBy(machine, name);
    const registers = await cpu.registers();
    const { beam } = machine.cycles ?? {};
    return {
      text: '',
      data: { registers: Object.fromEntries(registers.map((each) => [each.name, each.value])), beam },
    };
  },
});

export const pixelsRead = defineTool({
  name: 'pixels_read',
  title: 'Read pixels',
  description: 'The picture as numbers of colours, with its palette and the part inside the border.',
  toolset: 'inner',
  needs: ['screen'],
  effect: 'read',
  idempotent: true,
  input: z.object({}),
  async run({ screen }) {
    const picture = await screen.picture();
    if ('rgb' in picture) throw new MachineError('UNAVAILABLE', 'This picture has no palette.', 'Read it as a PNG.');
    const { width, height, pixels, palette } = picture;
    const shown = screen.window?.();
    const window = shown && shown.width > 0 && shown.height > 0 ? shown : { x: 0, y: 0, width, height };
    const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
    return { text: '', data: { width, height, window, pixels: base64(pixels), palette: base64(palette) } };
  },
});

export const keysFeed = defineTool({
  name: 'keys_feed',
  title: 'Feed the keyboard buffer',
  description: 'Codes of characters, as many as fit once the system has taken the last ones.',
  toolset: 'inner',
  needs: ['keyboard'],
  effect: 'change',
  input: z.object({ codes: z.array(z.number().int().min(0).max(255)).min(1).max(255) }),
  async run({ keyboard }, { codes }) {
    if (!keyboard.feed) throw missing('keyboard buffer');
    return { text: '', data: { taken: await keyboard.feed(Uint8Array.from(codes)) } };
  },
});

export const joystickSet = defineTool({
  name: 'joystick_set',
  title: 'Hold a joystick',
  description: 'Directions stay until told otherwise; no time passes.',
  toolset: 'inner',
  needs: ['joystick'],
  effect: 'change',
  idempotent: true,
  input: z.object({
    port: z.number().int().min(1).max(2),
    directions: z.array(z.enum(['up', 'down', 'left', 'right', 'fire'])),
  }),
  async run({ joystick }, { port, directions }) {
    await joystick.set(port, directions);
    return { text: '', data: { port } };
  },
});

export const userPortSet = defineTool({
  name: 'user_port_set',
  title: 'Set the pins of the user port',
  description: 'Levels of its eight data pins, until told otherwise.',
  toolset: 'inner',
  needs: ['joystick'],
  effect: 'change',
  idempotent: true,
  input: z.object({ pins: z.number().int().min(0).max(255) }),
  async run({ joystick }, { pins }) {
    if (!joystick.setUserPort) throw missing('user port');
    await joystick.setUserPort(pins);
    return { text: '', data: { pins } };
  },
});

export const driveReset = defineTool({
  name: 'drive_reset',
  title: 'Reset a drive',
  description: 'The drive of a slot starts again; the computer does not.',
  toolset: 'inner',
  needs: ['media'],
  effect: 'change',
  input: z.object({ slot: z.enum(['drive8', 'drive9', 'drive10', 'drive11']) }),
  async run({ media }, { slot }) {
    if (!media.reset) throw missing('drive to reset');
    await media.reset(slot);
    return { text: '', data: { slot } };
  },
});

/** By who sits at the machine, as at its switch. */
export const powerCycle = defineTool({
  name: 'power_cycle',
  title: 'Switch off and on',
  description: 'Memory is lost.',
  toolset: 'inner',
  needs: ['control'],
  effect: 'change',
  input: z.object({}),
  async run({ control }) {
    await control.reset('hard');
    return { text: '', data: {} };
  },
});

export const memoryTouch = defineTool({
  name: 'memory_touch',
  title: 'Read as the processor does',
  description: 'Reads a range with everything that this does to chips; bytes_read has the values before it.',
  toolset: 'inner',
  needs: ['memory', 'addresses'],
  effect: 'change',
  whileStopped: true,
  input: z.object({ address: z.string().max(200), length: z.number().int().min(1).max(0x10000) }),
  async run({ memory, addresses }, { address, length }) {
    if (!memory.touch) throw missing('way to read with side effects');
    await memory.touch(await addressOf(address, addresses), length);
    return { text: '', data: { length } };
  },
});

export const snapshotDump = defineTool({
  name: 'snapshot_dump',
  title: 'Dump a snapshot',
  description: 'The whole state to a new file, and nowhere else.',
  toolset: 'inner',
  needs: ['snapshots'],
  effect: 'change',
  input: z.object({ path: z.string().max(4096) }),
  async run({ snapshots, kind }, { path }, { rack }) {
    if (!snapshots.pack) throw missing('snapshots in files');
    const name = 'dump-to-file';
    await snapshots.save(name);
    try {
      await rack.writeFile(path, await writeSnapshotFile({ kind, ...(await snapshots.pack(name)) }));
    } finally {
      await snapshots.delete(name);
    }
    return { text: '', data: { path } };
  },
});

/** By who sits at the machine: what a dialect's agents are asked about first is theirs to do. */
export const configChange = defineTool({
  name: 'config_change',
  title: 'Change the configuration from a monitor',
  description: 'All of these resources, or none; the machine is not reset.',
  toolset: 'inner',
  needs: ['configuration'],
  effect: 'change',
  idempotent: true,
  input: z.object({
    changes: z
      .array(z.object({ name: z.string().max(100), value: z.union([z.number(), z.string().max(255)]) }))
      .min(1)
      .max(20),
  }),
  async run({ configuration }, { changes }) {
    const { changed } = await configuration.set(changes, 'never');
    return { text: '', data: { changed } };
  },
});

export const snapshotLoad = defineTool({
  name: 'snapshot_load',
  title: 'Load a snapshot',
  description: 'This machine goes on where a snapshot in a file was made.',
  toolset: 'inner',
  needs: ['snapshots'],
  effect: 'change',
  input: z.object({ path: z.string().max(4096) }),
  async run({ snapshots, kind }, { path }, { rack, signal }) {
    if (!snapshots.unpack) throw missing('snapshots in files');
    const bytes = await rack.files.read(path, longestSnapshotFile);
    const file = await readSnapshotFile(bytes).catch((error: unknown) => {
      if (!(error instanceof SnapshotFileError)) throw error;
      throw new MachineError('INVALID_ARGUMENT', `${path} cannot be used: ${error.message}.`, 'Use another file.');
    });
    if (file.kind !== kind) {
      const message = `${path} is a snapshot of a ${file.kind.slice(0, 32)} machine.`;
      throw new MachineError('INVALID_ARGUMENT', message, `Use one of a ${kind} machine.`);
    }
    await snapshots.unpack(file, 'elsewhere', signal);
    return { text: '', data: { time: file.time } };
  },
});

function missing(what: string): MachineError {
  return new MachineError('MISSING_CAPABILITY', `This machine has no ${what}.`, 'Use another machine.');
}
