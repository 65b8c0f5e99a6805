import type { MachineInput, MachineKeys, MachinePointer } from '../../api/watch.ts';
import type { KeyboardCapability, MouseCapability } from '../../machine/input.ts';
import type { Machine } from '../../machine/machine.ts';

/** What keyboards of people's browsers have: ASCII, the rest of Latin 1, and signs of the machines' own. */
const characters = [...range(0x21, 0x7e), ...range(0xa1, 0xff)]
  .map((code) => String.fromCharCode(code))
  .concat('€', '←', '↑', 'π');
const known = new WeakMap<KeyboardCapability, MachineKeys>();

/** What a person's hands find on a machine now. */
export async function describeInput({ keyboard, mouse, joystick }: Machine): Promise<MachineInput> {
  const pointer = mouse && (await describeMouse(mouse));
  return {
    ...(keyboard && { keys: describeKeys(keyboard) }),
    ...(pointer && { pointer }),
    joysticks: joystick?.ports ?? [],
  };
}

function describeKeys(keyboard: KeyboardCapability): MachineKeys {
  const before = known.get(keyboard);
  if (before) return before;
  const keys = {
    names: keyboard.keyNames,
    characters: Object.fromEntries(
      characters.flatMap((character): [string, readonly string[]][] => {
        const chord = keyboard.keysFor(character);
        return chord ? [[character, chord]] : [];
      }),
    ),
    repeats: keyboard.repeat !== undefined,
  };
  known.set(keyboard, keys);
  return keys;
}

/** Nothing where nobody would notice it. */
async function describeMouse(mouse: MouseCapability): Promise<MachinePointer | undefined> {
  try {
    const { positions, movements, wheel } = await mouse.reach();
    return positions || movements ? { buttons: mouse.buttons, positions, movements, wheel } : undefined;
  } catch {
    return undefined;
  }
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
