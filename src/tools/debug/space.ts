import { ownValue } from '../../formats/own-value.ts';
import { MachineError } from '../../machine/errors.ts';
import type { MemoryCapability, MemorySpace } from '../../machine/memory.ts';

/** The address space of this name; without one, the first. */
export function spaceNamed(memory: MemoryCapability, name: string | undefined): MemorySpace {
  const space = name === undefined ? memory.spaces[0] : memory.spaces.find((each) => each.name === name);
  if (space) return space;
  const names = memory.spaces.map((each) => `${each.name} (${each.description})`).join(', ');
  throw new MachineError(
    'INVALID_ARGUMENT',
    `No memory space ${JSON.stringify(name?.slice(0, 40))}.`,
    `Spaces: ${names}.`,
  );
}

const prefixForm = /^\s*([a-z]\w*):(?!:)(.+)$/is;
/** What debuggers write for short. */
const shortNames: Readonly<Record<string, string>> = { phys: 'physical', virt: 'virtual' };

/** The space that is meant, and the address without the name of one in front: `phys:0x1000` is `0x1000` of physical. */
export function placeIn(
  memory: MemoryCapability,
  name: string | undefined,
  text: string,
): { readonly space: MemorySpace; readonly text: string } {
  const [, prefix = '', rest = ''] = prefixForm.exec(text) ?? [];
  const word = prefix.toLowerCase();
  const meant = memory.spaces.find((space) => space.name === (ownValue(shortNames, word) ?? word));
  if (!meant) return { space: spaceNamed(memory, name), text };
  if (name === undefined || name === meant.name) return { space: meant, text: rest };
  throw new MachineError(
    'INVALID_ARGUMENT',
    `The address names the space ${meant.name}, but "space" names another.`,
    'Leave one of them out.',
  );
}

/** Refuses what does not lie wholly inside the space, and says what does. */
export function checkRange(
  space: MemorySpace,
  address: bigint,
  length: number,
  format: (address: bigint) => string,
): void {
  if (address >= 0 && length >= 1 && address + BigInt(length) <= space.size) return;
  const range = `${format(0n)}-${format(space.size - 1n)}`;
  const fits = space.size - address;
  throw new MachineError(
    'ADDRESS_OUT_OF_BOUNDS',
    `${format(address)} and ${length} ${length === 1 ? 'byte' : 'bytes'} do not fit into ${space.name}, which is ${range}.`,
    fits > 0 && address >= 0
      ? `Ask for at most ${fits} ${fits === 1n ? 'byte' : 'bytes'} there.`
      : `Use an address in ${range}.`,
    { requested_address: format(address), requested_size: length, valid_range: range },
  );
}
