import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Matcher } from './expect.ts';
import { patternOf } from './pattern-argument.ts';
import type { Pattern } from './pattern-search.ts';

async function firstMatch(pattern: Pattern, pieces: readonly string[]) {
  const matcher = await Matcher.create({ patterns: [pattern] });
  for (const piece of pieces) {
    const match = await matcher.push(piece);
    if (match) return match;
  }
  return undefined;
}

test('a regular expression may say that it means lines', () => {
  expect(['/^a/m', '/a/im', '/a/i', '/a/', '/a/x'].map(patternOf)).toEqual([
    { regex: '^a', ignoreCase: false },
    { regex: 'a', ignoreCase: true },
    { regex: 'a', ignoreCase: true },
    { regex: 'a', ignoreCase: false },
    { literal: '/a/x' },
  ]);
});

describe('a match across chunks', () => {
  test.for<[Pattern, string]>([
    [{ literal: 'login: ' }, 'login: '],
    [{ literal: 'LOGIN: ', ignoreCase: true }, 'login: '],
    [{ regex: 'log[a-z]+: $' }, 'login: '],
    [{ regex: '^Debian.*\\n\\n(\\w+) login: ' }, 'Debian GNU/Linux 12 tty\n\nhost login: '],
    [{ regex: '(?s)Debian.*login: ' }, 'Debian GNU/Linux 12 tty\n\nhost login: '],
    [{ regex: '^host LOGIN: ', ignoreCase: true }, 'host login: '],
  ])('%j is found at every cut', async ([pattern, expected]) => {
    const text = 'boot\nDebian GNU/Linux 12 tty\n\nhost login: ';
    for (let cut = 0; cut <= text.length; cut++) {
      const match = await firstMatch(pattern, [text.slice(0, cut), text.slice(cut)]);
      expect(match).toMatchObject({ text: expected, end: text.length, start: text.length - expected.length });
    }
    expect(await firstMatch(pattern, [...text])).toMatchObject({ text: expected, end: text.length });
  });

  test('random cuts find the same literal as a search of the whole', async () => {
    const cuts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 6 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(
        cuts,
        fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength: 1, maxLength: 5 }),
        async (pieces, literal) => {
          const at = pieces.join('').indexOf(literal);
          expect((await firstMatch({ literal }, pieces))?.start ?? -1).toBe(at);
        },
      ),
    );
  });

  test('is found when it began almost 64 Ki characters ago', async () => {
    const filler = `${'x'.repeat(99)}\n`.repeat(650);
    const match = await firstMatch({ regex: '(?s)BEGIN.*END' }, [
      'BEGIN',
      ...(filler.match(/.{1,777}/gs) ?? []),
      'END',
    ]);
    expect(match?.text.length).toBe(filler.length + 8);
  });
});

describe('costly patterns', () => {
  /** Letters in an order that no engine can guess. */
  const noise = Array.from({ length: 1500 }, (_, index) => 'ab'[(Math.imul(index, 2654435761) >>> 30) & 1]).join('');

  test('others have their turn between one of them and the next', async () => {
    const regexes = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => ({ regex: `[ab]*a[ab]{200}[${letter}!]` }));
    const matcher = await Matcher.create({ patterns: regexes });
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    expect(await matcher.push(noise)).toBeUndefined();
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  test('the larger a pattern is, the less of the past is looked at again', async () => {
    const text = `BEGIN${'x\n'.repeat(3000)}`;
    const small = await firstMatch({ regex: '(?s)BEGIN.*END' }, [text, 'END']);
    expect(small?.start).toBe(0);
    const large = await firstMatch({ regex: `(?s)BEGIN.*END|${'(?:y?z?){60}[QZ]{90}'}` }, [text, 'END']);
    expect(large).toBeUndefined();
  });

  test('one that is too large is refused with its limit', async () => {
    for (const regex of ['(?:.?){480}[QZ]', '(a{1000}){1000}', '(.*a){150}']) {
      await expect(Matcher.create({ patterns: [{ regex }] })).rejects.toThrow('limit 500 steps');
    }
    await expect(Matcher.create({ patterns: [{ regex: '(.*a){25}' }] })).resolves.toBeDefined();
  });
});

describe('what a match says', () => {
  test('groups, names and which pattern', async () => {
    const matcher = await Matcher.create({
      patterns: [{ literal: 'nothing' }, { regex: '(?P<user>\\w+)@(\\w+)(:\\d+)?' }],
    });
    const match = await matcher.push('hello root@board\n');
    expect(match).toMatchObject({
      kind: 'success',
      index: 1,
      text: 'root@board',
      groups: ['root', 'board', undefined],
      namedGroups: { user: 'root' },
      start: 6,
      end: 16,
    });
  });

  test('the first in the text wins, a failure before a success at the same place', async () => {
    const both = { patterns: [{ literal: 'login' }], failPatterns: [{ regex: 'incorrect' }, { regex: 'login inc' }] };
    const early = await (await Matcher.create(both)).push('incorrect\nlogin:');
    expect(early).toMatchObject({ kind: 'failure', index: 0 });
    const same = await (await Matcher.create(both)).push('login incorrect');
    expect(same).toMatchObject({ kind: 'failure', index: 1 });
    const success = await (await Matcher.create(both)).push('login: incorrect');
    expect(success).toMatchObject({ kind: 'success', index: 0 });
  });

  test('^ and $ are the ends of lines, also after a cut in the middle of a very long one', async () => {
    expect(await firstMatch({ regex: '^b' }, ['a', 'b'])).toBeUndefined();
    expect(await firstMatch({ regex: '^b' }, ['a\n', 'b'])).toMatchObject({ start: 2 });
    expect(await firstMatch({ regex: 'a$' }, ['ba\nb'])).toMatchObject({ start: 1 });
    expect(
      await firstMatch({ regex: '^x' }, ['a', ...Array.from({ length: 40 }, () => 'x'.repeat(5000))]),
    ).toBeUndefined();
  });

  test('a match at the end waits for text that is known to follow', async () => {
    const prompt = async () => Matcher.create({ patterns: [{ regex: '[#$] $' }] });
    const inLine = await prompt();
    expect(await inLine.push('a # ', true)).toBeUndefined();
    expect(await inLine.push('b')).toBeUndefined();
    const atEnd = await prompt();
    expect(await atEnd.push('a # ', true)).toBeUndefined();
    expect(await atEnd.push('')).toMatchObject({ text: '# ', start: 2, end: 4 });
    const number = await Matcher.create({ patterns: [{ regex: '\\d+' }] });
    expect(await number.push('12', true)).toBeUndefined();
    expect(await number.push('34 ', true)).toMatchObject({ text: '1234' });
  });

  test('a literal with \\r\\n means a line end', async () => {
    expect(await firstMatch({ literal: 'a\r\nb' }, ['a\nb'])).toMatchObject({ text: 'a\nb' });
  });

  test('nothing matches across a gap', async () => {
    const matcher = await Matcher.create({ patterns: [{ literal: 'ab' }, { regex: 'a.*b' }] });
    await matcher.push('a');
    matcher.separate();
    expect(await matcher.push('b')).toBeUndefined();
    expect(await matcher.push('ab')).toMatchObject({ text: 'ab', start: 4 });
  });
});

describe('bad patterns are refused with what to do', () => {
  // Tools take a text, or a regular expression between slashes, and no argument by another name.
  test.each(['(', '(?=a)', '(a)\\1', 'a{1000}'.repeat(9)])(
    '/%s/ is advised in the words of the tools',
    async (regex) => {
      const error: unknown = await Matcher.create({ patterns: [{ regex }] }).catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        type: 'INVALID_ARGUMENT',
        fix: expect.not.stringMatching(/literal|regex\b|ignore_?case/i),
      });
    },
  );

  test.for<[Pattern, RegExp]>([
    [{ regex: 'a(?=b)' }, /look-around/],
    [{ regex: '(?<!a)b' }, /look-around/],
    [{ regex: '(a)\\1' }, /back-references/],
    [{ regex: '[a' }, /missing closing \]: `\[a`/],
    [{ regex: 'a{2000}' }, /too large|repeat/],
    [{ regex: `(?:${'ab[cd]'.repeat(100)}){900}` }, /too large/],
    [{ regex: '.{900}.{900}' }, /too large/],
    [{ regex: 'a*' }, /no text at all/],
    [{ regex: '' }, /empty/],
    [{ literal: '' }, /empty/],
    [{ literal: 'x'.repeat(1001) }, /limit is 1000/],
    [{}, /exactly one/],
    [{ literal: 'a', regex: 'a' }, /exactly one/],
  ])('%j', async ([pattern, message]) => {
    await expect(Matcher.create({ patterns: [pattern] })).rejects.toMatchObject({
      type: 'INVALID_ARGUMENT',
      message: expect.stringMatching(message),
      fix: expect.stringMatching(/./),
    });
  });

  test('too many', async () => {
    const patterns = Array.from({ length: 33 }, () => ({ literal: 'a' }));
    await expect(Matcher.create({ patterns })).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
  });
});

/** Counts how often the event loop turns while `work` is under way. */
async function turnsDuring<T>(work: Promise<T>): Promise<{ readonly turns: number; readonly value: T }> {
  let turns = 0;
  let running = true;
  const turn = () => {
    turns++;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  const value = await work;
  running = false;
  return { turns, value };
}

describe('floods and hostile patterns', () => {
  test('25 MB pass while the event loop turns, and the end is found', async () => {
    const line = '[   12.345678] usb 1-1: new high-speed USB device number 2 using xhci_hcd\n';
    const flood = line.repeat(Math.ceil(25_000_000 / line.length));
    const matcher = await Matcher.create({
      patterns: [{ literal: 'login: ' }, { regex: '[#$] $' }, { regex: '(?i)kernel panic.*\\n.*end' }],
    });
    const { turns, value } = await turnsDuring(matcher.push(`${flood}# `));
    expect(value).toMatchObject({ index: 1, end: flood.length + 2 });
    expect(turns).toBeGreaterThan(50);
  }, 60_000);

  test('tiny chunks after a full window', async () => {
    const matcher = await Matcher.create({ patterns: [{ literal: 'zz' }, { regex: 'y+$' }] });
    await matcher.push(`${'x'.repeat(60)}\n`.repeat(2000));
    for (let count = 0; count < 5_000; count++) {
      expect(await matcher.push(count % 9 ? 'abc def' : '\n')).toBeUndefined();
    }
    expect(await matcher.push('y')).toMatchObject({ index: 1 });
  });

  test('catastrophic for others, linear here', async () => {
    const letters = 'a'.repeat(30_000);
    expect(await firstMatch({ regex: '^(a+)+$' }, [`${letters}!\n`, 'aaa'])).toMatchObject({ text: 'aaa' });
    expect(await firstMatch({ regex: '(a|aa)+b' }, [letters])).toBeUndefined();
  });

  test('a pattern that defeats the automaton gives way between slices', async () => {
    const matcher = await Matcher.create({ patterns: [{ regex: 'a[ab]{200}[cd]' }] });
    let seed = 1;
    const noise = Array.from({ length: 20_000 }, () => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return seed & 0x10000 ? 'a' : 'b';
    }).join('');
    const { turns, value } = await turnsDuring(matcher.push(noise));
    expect(value).toBeUndefined();
    expect(turns).toBeGreaterThan(2);
  }, 30_000);
});
