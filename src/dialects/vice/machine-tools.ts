import { z } from 'zod';
import type { DialectTool } from '../dialect.ts';
import { bankNames } from './memory-banks.ts';
import { type Resource, resourcesOf } from './resources.ts';
import { viceTool } from './vice-tool.ts';

const nothing = z.strictObject({});

/** `version` is that of this server. */
export function machineTools(version: string): readonly DialectTool[] {
  const ping = viceTool({
    name: 'vice.ping',
    title: 'Ping',
    description: 'Whether the server and its machine are there.',
    effect: 'read',
    input: nothing,
    call: async (_input, { facts }) => ({ status: 'ok', version, machine: facts.name }),
  });
  return [ping, capabilities];
}

const capabilities = viceTool({
  name: 'vice.machine.capabilities',
  title: 'Get machine capabilities',
  description:
    'Chips, sprites, drives, memory banks, video standards, ports, and the toolsets of this machine. Call it first.',
  effect: 'read',
  input: nothing,
  async call(_input, call) {
    const { facts, machine } = call;
    const slot = z.object({ name: z.string() });
    const shape = { spaces: z.array(z.string()), slots: z.array(slot) };
    const { spaces, slots } = await call.use('facts_read', {}, shape);
    const resources = await resourcesOf(call);
    return {
      machine: facts.name,
      cpu: facts.cpu,
      video_chip: facts.videoChip,
      sound_chip: facts.soundChip,
      has_sprites: facts.sprites > 0,
      max_sprites: facts.sprites,
      has_cartridge_port: slots.some(({ name }) => name === 'cartridge'),
      drive_types: namesIn(resources, 'Drive8Type').filter((name) => name !== 'None'),
      memory_banks: bankNames(machine.kind, spaces),
      video_standards: namesIn(resources, 'MachineVideoStandard'),
      expansion_ports: facts.expansionPorts,
      available_toolsets: facts.chips.map((chip) => `vice.${chip}.*`),
    };
  },
});

function namesIn(resources: readonly Resource[], wanted: string): readonly string[] {
  return resources.find(({ name }) => name === wanted)?.possible.map(({ name }) => name) ?? [];
}
