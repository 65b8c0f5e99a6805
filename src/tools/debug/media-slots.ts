import { MachineError } from '../../machine/errors.ts';
import type { MediaCapability, MediaSlot } from '../../machine/media.ts';

/** The slot of this name; without one, the first. */
export function slotNamed(media: MediaCapability, name: string | undefined): MediaSlot {
  const slot = name === undefined ? media.slots[0] : media.slots.find((each) => each.name === plain(name));
  if (slot) return slot;
  const names = media.slots.map((each) => each.name).join(', ');
  throw new MachineError('INVALID_ARGUMENT', `No slot ${JSON.stringify(name?.slice(0, 40))}.`, `Slots: ${names}.`);
}

/** `A:` is how people write a drive's letter. */
function plain(name: string): string {
  return name.toLowerCase().replace(/:$/, '');
}

export function showSlots(media: MediaCapability): string {
  return media.slots
    .map(({ name, description, medium, changed }) => {
      const content = medium === undefined ? 'empty' : `${medium}${changed ? ', changed' : ''}`;
      return `${name} (${description}): ${content}`;
    })
    .join('\n');
}
