/** What a key gives: scan code in the high byte, character in the low one; undefined for nothing. */
export interface KeyWords {
  readonly plain: number;
  readonly shift: number;
  readonly ctrl?: number | undefined;
  readonly alt?: number | undefined;
  /** Caps Lock exchanges plain and shift. */
  readonly letter?: boolean;
  /** Num Lock exchanges plain and shift. */
  readonly keypad?: boolean;
}

const table = new Map<number, KeyWords>();

const word = (scan: number, character: number) => (scan << 8) | character;

function characters(firstScan: number, plain: string, shift: string): void {
  [...plain].forEach((character, index) => {
    const scan = firstScan + index;
    const code = character.charCodeAt(0);
    const letter = character >= 'a' && character <= 'z';
    table.set(scan, {
      plain: word(scan, code),
      shift: word(scan, shift.charCodeAt(index)),
      ctrl: letter ? word(scan, code & 0x1f) : undefined,
      alt: word(scan, 0),
      letter,
    });
  });
}

characters(0x02, '1234567890-=', '!@#$%^&*()_+');
characters(0x10, 'qwertyuiop[]', 'QWERTYUIOP{}');
characters(0x1e, "asdfghjkl;'`", 'ASDFGHJKL:"~');
characters(0x2b, '\\zxcvbnm,./', '|ZXCVBNM<>?');
characters(0x56, '\\', '|');

/** Where a row of the table differs. */
function change(scan: number, difference: Partial<KeyWords>): void {
  const before = table.get(scan) ?? { plain: 0, shift: 0 };
  table.set(scan, { ...before, ...difference });
}

for (let scan = 0x02; scan <= 0x0d; scan++) change(scan, { alt: word(scan + 0x76, 0) });
change(0x03, { ctrl: 0x0300 });
change(0x07, { ctrl: 0x071e });
change(0x0c, { ctrl: 0x0c1f });
change(0x1a, { ctrl: 0x1a1b });
change(0x1b, { ctrl: 0x1b1d });
change(0x2b, { ctrl: 0x2b1c });
change(0x01, { plain: 0x011b, shift: 0x011b, ctrl: 0x011b, alt: 0x0100 });
change(0x0e, { plain: 0x0e08, shift: 0x0e08, ctrl: 0x0e7f, alt: 0x0e00 });
change(0x0f, { plain: 0x0f09, shift: 0x0f00, ctrl: 0x9400, alt: 0xa500 });
change(0x1c, { plain: 0x1c0d, shift: 0x1c0d, ctrl: 0x1c0a, alt: 0x1c00 });
change(0x37, { plain: 0x372a, shift: 0x372a, ctrl: 0x9600, alt: 0x3700 });
change(0x39, { plain: 0x3920, shift: 0x3920, ctrl: 0x3920, alt: 0x3920 });

for (let key = 0; key < 10; key++)
  table.set(0x3b + key, {
    plain: word(0x3b + key, 0),
    shift: word(0x54 + key, 0),
    ctrl: word(0x5e + key, 0),
    alt: word(0x68 + key, 0),
  });
table.set(0x57, { plain: 0x8500, shift: 0x8700, ctrl: 0x8900, alt: 0x8b00 });
table.set(0x58, { plain: 0x8600, shift: 0x8800, ctrl: 0x8a00, alt: 0x8c00 });

/** 47h-53h: cursor keys, or figures with Num Lock. Alt with a figure is a character's number. */
const keypadControl = [0x77, 0x8d, 0x84, 0x8e, 0x73, 0x8f, 0x74, 0x90, 0x75, 0x91, 0x76, 0x92, 0x93];
const extended = new Map<number, KeyWords>();
[...'789-456+1230.'].forEach((figure, index) => {
  const scan = 0x47 + index;
  const code = figure.charCodeAt(0);
  const ctrl = word(keypadControl[index] ?? 0, 0);
  if (figure === '-' || figure === '+')
    table.set(scan, { plain: word(scan, code), shift: word(scan, code), ctrl, alt: word(scan, 0) });
  else {
    table.set(scan, { plain: word(scan, 0), shift: word(scan, code), ctrl, keypad: true });
    const grey = word(scan, 0xe0);
    extended.set(scan, { plain: grey, shift: grey, ctrl: ctrl | 0xe0, alt: word(scan + 0x50, 0) });
  }
});
extended.set(0x1c, { plain: 0xe00d, shift: 0xe00d, ctrl: 0xe00a, alt: 0xa600 });
extended.set(0x35, { plain: 0xe02f, shift: 0xe02f, ctrl: 0x9500, alt: 0xa400 });

const SHIFTS = 0x03;
const CTRL = 0x04;
const ALT = 0x08;
const NUM_LOCK = 0x20;
const CAPS_LOCK = 0x40;

/** The word for the keyboard buffer, by the shift flags of 40:17. */
export function translate(scan: number, isExtended: boolean, flags: number): number | undefined {
  const row = (isExtended ? extended : table).get(scan);
  if (row === undefined) return undefined;
  if ((flags & ALT) !== 0) return row.alt;
  if ((flags & CTRL) !== 0) return row.ctrl;
  let shifted = (flags & SHIFTS) !== 0;
  if (row.letter === true && (flags & CAPS_LOCK) !== 0) shifted = !shifted;
  if (row.keypad === true && (flags & NUM_LOCK) !== 0) shifted = !shifted;
  return shifted ? row.shift : row.plain;
}
