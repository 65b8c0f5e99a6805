import { describe, expect, test } from 'vitest';
import { HeldKeys, type Stroke } from '../../src/view/page/held-keys.ts';

/** The keys of three machines, as far as these tests need them. */
const dos = {
  names: [
    ...'escape tab enter space backspace ctrl alt shift a b c y z 1 2 6 7 8 / - < f1 f4 home up delete break pause'.split(
      ' ',
    ),
    ...['right shift', 'right ctrl', 'right alt', 'keypad 7', 'keypad +', 'page up', 'caps lock'],
  ],
  characters: characters('abcyz12678/-', { A: 'a', '&': '7', '@': '2', '*': '8' }, 'shift'),
};
const qemu = {
  names: [
    ...'esc tab ret spc ctrl ctrl_r alt alt_r shift shift_r a y z q 7 slash minus kp_7 kp_add pgup caps_lock f12 pause'.split(
      ' ',
    ),
  ],
  characters: { ...characters('ayz7', { A: 'a' }, 'shift'), '/': ['shift', '7'], '@': ['alt_r', 'q'], '-': ['slash'] },
};
const c64 = {
  names: 'stop restore ctrl cbm lshift rshift shift return space home left a 1 2 ! " = + ← £ f1 escape backspace'.split(
    ' ',
  ),
  characters: Object.fromEntries([...'aA1!"=+'].map((each) => [each, [each.toLowerCase()]])),
};

function characters(plain: string, shifted: Record<string, string>, shift: string): Record<string, readonly string[]> {
  return {
    ...Object.fromEntries([...plain].map((each) => [each, [each]])),
    ...Object.fromEntries(Object.entries(shifted).map(([each, key]) => [each, [shift, key]])),
  };
}

function stroke(
  key: string,
  code: string,
  held: readonly ('shift' | 'ctrl' | 'alt' | 'meta' | 'altGraph')[] = [],
): Stroke {
  return {
    key,
    code,
    shiftKey: held.includes('shift'),
    ctrlKey: held.includes('ctrl'),
    altKey: held.includes('alt'),
    metaKey: held.includes('meta'),
    getModifierState: (name) => name === 'AltGraph' && held.includes('altGraph'),
  };
}

const shift = stroke('Shift', 'ShiftLeft', ['shift']);

describe('characters', () => {
  test('that need no shift on the machine lose the one of this keyboard, and get it back', () => {
    const keys = new HeldKeys(dos);
    keys.press(shift);
    expect(keys.keys).toEqual(['shift']);
    keys.press(stroke('/', 'Digit7', ['shift']));
    expect(keys.keys).toEqual(['/']);
    keys.release(stroke('/', 'Digit7', ['shift']));
    expect(keys.keys).toEqual(['shift']);
    keys.release(stroke('Shift', 'ShiftLeft'));
    expect(keys.keys).toEqual([]);
  });

  test('are where the machine has them, with what it needs for them', () => {
    const keys = new HeldKeys(dos);
    keys.press(shift);
    keys.press(stroke('&', 'Digit6', ['shift']));
    expect(keys.keys).toEqual(['shift', '7']);
    keys.releaseAll();
    keys.press(stroke('z', 'KeyY'));
    expect(keys.keys).toEqual(['z']);
  });

  test('made with AltGr leave no Ctrl and Alt behind, as Windows reports it', () => {
    const keys = new HeldKeys(dos);
    keys.press(stroke('Control', 'ControlLeft', ['ctrl']));
    expect(keys.press(stroke('AltGraph', 'AltRight', ['ctrl', 'alt', 'altGraph']))).toBe(false);
    keys.press(stroke('@', 'KeyQ', ['ctrl', 'alt', 'altGraph']));
    expect(keys.keys).toEqual(['shift', '2']);
    const other = new HeldKeys(qemu);
    other.press(stroke('@', 'KeyQ', ['altGraph']));
    expect(other.keys).toEqual(['alt_r', 'q']);
  });

  test('under Caps Lock are capitals without a shift key', () => {
    const keys = new HeldKeys(dos);
    expect(keys.press(stroke('CapsLock', 'CapsLock'))).toBe(false);
    keys.press(stroke('A', 'KeyA'));
    expect(keys.keys).toEqual(['shift', 'a']);
  });

  test('typed one into the other do not pass on their shift', () => {
    const keys = new HeldKeys(dos);
    keys.press(shift);
    keys.press(stroke('A', 'KeyA', ['shift']));
    expect(keys.keys).toEqual(['shift', 'a']);
    keys.release(stroke('Shift', 'ShiftLeft'));
    keys.press(stroke('1', 'Digit1'));
    expect(keys.keys).toEqual(['a', '1']);
    keys.release(stroke('a', 'KeyA'));
    expect(keys.keys).toEqual(['1']);
  });

  test('the right shift key stays the right one', () => {
    const keys = new HeldKeys(dos);
    keys.press(stroke('Shift', 'ShiftRight', ['shift']));
    keys.press(stroke('*', 'Digit8', ['shift']));
    expect(keys.keys).toEqual(['right shift', '8']);
  });

  test('that the machine does not know go by their place', () => {
    const keys = new HeldKeys(dos);
    keys.press(stroke('ß', 'Minus'));
    expect(keys.keys).toEqual(['-']);
  });
});

describe('chords', () => {
  test('with Ctrl and Alt take the letter, whatever its place, and other keys by their place', () => {
    const keys = new HeldKeys(dos);
    keys.press(stroke('Control', 'ControlLeft', ['ctrl']));
    keys.press(stroke('z', 'KeyY', ['ctrl']));
    expect(keys.keys).toEqual(['ctrl', 'z']);
    keys.releaseAll();
    keys.press(stroke('Alt', 'AltLeft', ['alt']));
    keys.press(stroke('F4', 'F4', ['alt']));
    expect(keys.keys).toEqual(['alt', 'f4']);
  });

  test('with Ctrl and Shift keep both, and a Cyrillic letter is known by its place', () => {
    const keys = new HeldKeys(dos);
    keys.press(shift);
    keys.press(stroke('Control', 'ControlLeft', ['ctrl', 'shift']));
    keys.press(stroke('С', 'KeyC', ['ctrl', 'shift']));
    expect(keys.keys).toEqual(['shift', 'ctrl', 'c']);
  });

  test('Ctrl and Pause are Break where that is a key of its own', () => {
    const held = (machine: typeof dos | typeof qemu) => {
      const keys = new HeldKeys(machine);
      keys.press(stroke('Control', 'ControlLeft', ['ctrl']));
      keys.press(stroke('Cancel', 'Pause', ['ctrl']));
      return keys.keys;
    };
    expect(held(dos)).toEqual(['ctrl', 'break']);
    expect(held(qemu)).toEqual(['ctrl', 'pause']);
  });

  test('keys under Meta are left to the browser', () => {
    const keys = new HeldKeys(dos);
    expect(keys.press(stroke('a', 'KeyA', ['meta']))).toBe(false);
    expect(keys.keys).toEqual([]);
  });
});

test.each([
  ['Escape', 'Escape', 'escape', 'esc', 'escape'],
  ['Tab', 'Tab', 'tab', 'tab', 'ctrl'],
  ['Enter', 'Enter', 'enter', 'ret', 'return'],
  [' ', 'Space', 'space', 'spc', 'space'],
  ['PageUp', 'PageUp', 'page up', 'pgup', 'restore'],
  ['7', 'Numpad7', 'keypad 7', 'kp_7', undefined],
  ['+', 'NumpadAdd', 'keypad +', 'kp_add', '+'],
  ['Alt', 'AltRight', 'right alt', 'alt_r', 'cbm'],
  ['Control', 'ControlRight', 'right ctrl', 'ctrl_r', 'ctrl'],
])('%s at %s has the name that each machine gives it', (key, code, ...names) => {
  const found = [dos, qemu, c64].map((machine) => {
    const keys = new HeldKeys(machine);
    keys.press(stroke(key, code));
    return keys.keys[0];
  });
  expect(found).toEqual(names);
});

test('a machine of one case has its graphics under shift, and signs where they are', () => {
  const keys = new HeldKeys(c64);
  keys.press(shift);
  keys.press(stroke('A', 'KeyA', ['shift']));
  expect(keys.keys).toEqual(['shift', 'a']);
  keys.release(stroke('A', 'KeyA', ['shift']));
  keys.press(stroke('=', 'Digit0', ['shift']));
  expect(keys.keys).toEqual(['=']);
});

test('by place, keys are what is in the same place, and locks are keys', () => {
  const keys = new HeldKeys(dos);
  keys.byPlace = true;
  keys.press(stroke('z', 'KeyY'));
  keys.press(stroke('CapsLock', 'CapsLock'));
  expect(keys.keys).toEqual(['y', 'caps lock']);
});

test('a modifier whose release happened elsewhere is forgotten with the next key', () => {
  const keys = new HeldKeys(dos);
  keys.press(stroke('Alt', 'AltLeft', ['alt']));
  keys.press(stroke('a', 'KeyA'));
  expect(keys.keys).toEqual(['a']);
});
