import { describe, expect, test, vi } from 'vitest';
import { GuestDesk, outputOf } from './desk.ts';

test('from: cursor, now, start, an offset; a reader reads on where it stopped', async () => {
  await using desk = await GuestDesk.at();
  await desk.guest.print('one\r\ntwo\r\n');
  await desk.arrived(10);
  expect(outputOf(await desk.read())).toBe('one\ntwo');
  expect(await desk.read()).toContain('[no output: bytes 10-10');
  expect(await desk.read({ from: 'now' })).toContain('[no output');
  expect(outputOf(await desk.read({ from: '5' }))).toBe('two');
  await desk.guest.print('three\r\n');
  await desk.arrived(17);
  expect(outputOf(await desk.read())).toBe('three');
  expect(outputOf(await desk.read({ from: 'start' }))).toBe('one\ntwo\nthree');
  for (const from of ['18', '-1', '1e3', 'later', '']) {
    const refusal = await desk.refusal('console_read', { from });
    expect(refusal, from).toMatchObject({ error_type: 'INVALID_ARGUMENT', valid_range: '0-17' });
  }
});

test('two readers have their own cursors', async () => {
  await using desk = await GuestDesk.at();
  await desk.guest.print('alpha\r\n');
  await desk.arrived(7);
  expect(outputOf(await desk.read({ reader: 'a' }))).toBe('alpha');
  await desk.guest.print('beta\r\n');
  await desk.arrived(13);
  expect(outputOf(await desk.read({ reader: 'a' }))).toBe('beta');
  expect(outputOf(await desk.read({ reader: 'b' }))).toBe('alpha\nbeta');
  expect(await desk.read({ reader: 'b' })).toContain('no output');
});

test('views: text is clean, raw and hex lose nothing, screen is what a terminal shows', async () => {
  await using desk = await GuestDesk.at();
  const bytes = Buffer.from('50%\r100%\r\n\x1b[31mred\x1b[0m tab\tx\\n\x07\xff\x00\r\n\xe8au\x1b[2;1Hover', 'latin1');
  await desk.guest.print(bytes);
  await desk.arrived(bytes.length);
  const text = outputOf(await desk.read({ from: 'start' }));
  expect(text.split('\n')[0]).toBe('100%');
  expect(text.split('\n')[1]).toBe('red tab\tx\\n\\x07\\xff\\x00');
  const raw = outputOf(await desk.read({ from: 'start', view: 'raw' }));
  expect(raw).toBe('50%\\r100%\\r\\n\\x1b[31mred\\x1b[0m tab\\tx\\\\n\\x07\\xff\\x00\\r\\n\\xe8au\\x1b[2;1Hover');
  const hex = outputOf(await desk.read({ from: 'start', view: 'hex' }));
  const dumped = hex.split('\n').map((line) => line.slice(10, 58).replaceAll(' ', ''));
  expect(Buffer.from(dumped.join(''), 'hex')).toEqual(bytes);
  const screen = await desk.read({ view: 'screen' });
  expect(screen).toMatch(/screen 80x24, cursor at column 4, row 1/);
  expect(outputOf(screen).split('\n')[1]).toMatch(/^over/);
});

test('long raw views go on at the offset they name until every byte was seen', async () => {
  await using desk = await GuestDesk.at();
  const bytes = Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 7) % 256));
  await desk.guest.print(bytes);
  await desk.arrived(bytes.length);
  const seen: Buffer[] = [];
  for (let from: string | undefined = '0'; from !== undefined; ) {
    const answer = await desk.read({ from, view: 'hex', max_chars: 4000 });
    const dumped = outputOf(answer).replace(/^\w+ {2}(.{48}).*$/gm, '$1');
    seen.push(Buffer.from(dumped.replace(/\s/g, ''), 'hex'));
    from = /go on with "from":"(\d+)"/.exec(answer)?.[1];
  }
  expect(seen.length).toBeGreaterThan(1);
  expect(Buffer.concat(seen)).toEqual(bytes);
});

test('a long answer is shortened, and reading on at the gap shows all that was left out', async () => {
  await using desk = await GuestDesk.at();
  const lines = Array.from({ length: 400 }, (_, index) => `line ${index} ${'·'.repeat(index % 9)}`);
  await desk.guest.print(`${lines.join('\r\n')}\r\n`);
  await desk.arrived(Buffer.byteLength(`${lines.join('\r\n')}\r\n`));
  let shown = '';
  for (let from: string | undefined = '0'; from !== undefined; ) {
    const answer = await desk.read({ from, max_chars: 1500 });
    expect(answer.length).toBeLessThan(2000);
    const [head = '', mark] = outputOf(answer).split(/\n\[… ([\d,]+) characters, [\d,]+ lines left out[^\]]*\]\n/);
    shown += mark === undefined ? head : head.endsWith('\n') ? head : `${head}\n`;
    from = /the part left out begins at "from":"(\d+)"/.exec(answer)?.[1];
    if (from === undefined) expect(mark).toBeUndefined();
  }
  expect(shown.split('\n').filter((line) => line !== '')).toEqual(lines.map((line) => line.trimEnd()));
});

test('JSON stays JSON, however much there is to say', async () => {
  await using desk = await GuestDesk.at();
  const noise = '"\\quoted\\"\r\n'.repeat(20_000);
  await desk.guest.print(noise);
  await desk.arrived(noise.length);
  for (const max_chars of [500, 28_000]) {
    const { output, next } = await desk.json('console_read', { from: '0', max_chars });
    expect(next).toBe(noise.length);
    expect(String(output)).toMatch(/left out|not kept/);
    expect(String(output)).toMatch(/^"\\quoted\\"\n[\s\S]*\\quoted/);
  }
});

test('lists of many machines and events stay JSON too, and no event is left out for good', async () => {
  await using desk = await GuestDesk.at({}, ['--max-machines', '60']);
  const names = Array.from({ length: 50 }, (_, index) => `${index}-${'long'.repeat(11)}`);
  await Promise.all(names.map((name) => desk.start({ port: desk.guest.port }, name)));
  const seqs = async () => {
    const seen: number[] = [];
    for (let from = 0, left = 1; left > 0; ) {
      const page = await desk.json('events_read', { from, types: ['link_up', 'link_lost'] });
      seen.push(...(page.events as { seq: number }[]).map(({ seq }) => seq));
      [from, left] = [Number(page.next), Number(page.left_out)];
    }
    return seen;
  };
  await vi.waitFor(async () => expect(await seqs()).toHaveLength(51), 60_000);
  await vi.waitFor(() => expect(desk.guest.connections).toBe(51), 60_000);
  desk.guest.hangUp();
  await vi.waitFor(async () => expect(await seqs()).toHaveLength(153), 60_000);
  const seen = await seqs();
  expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
  const handles: string[] = [];
  for (let after: unknown, left = 1; left > 0; ) {
    const page = await desk.json('machine_list', typeof after === 'string' ? { after } : {});
    const listed = (page.machines as { machine: string }[]).map(({ machine }) => machine);
    expect(listed.length).toBeGreaterThan(10);
    handles.push(...listed);
    [after, left] = [page.after, Number(page.left_out ?? 0)];
  }
  expect(handles).toHaveLength(51);
  expect(new Set(handles)).toEqual(new Set([...handles, ...names]));
});

describe('bytes that are hard to read', () => {
  test('UTF-8 and escape sequences cut anywhere', async () => {
    await using desk = await GuestDesk.at();
    const bytes = Buffer.from('.ž漢🙂\x1b[1;31mé\x1b[0m|');
    let end = 0;
    for (let cut = 1; cut < bytes.length; cut++) {
      let read = '';
      for (const part of [bytes.subarray(0, cut), bytes.subarray(cut)]) {
        await desk.guest.print(part);
        end += part.length;
        await desk.arrived(end);
        read += outputOf(await desk.read());
      }
      expect(read, `cut at ${cut}`).toBe('.ž漢🙂é|');
    }
  });

  test('NULs are counted', async () => {
    await using desk = await GuestDesk.at();
    await desk.guest.print(`before${'\0'.repeat(512)}after\r\n`);
    expect(outputOf(await desk.read({ expect: 'after' }))).toBe('before\\x00{×512}after');
  });

  test('a line of 10 MB: found at its end, shortened, still there byte by byte', async () => {
    await using desk = await GuestDesk.at({ ring_bytes: 12_000_000 });
    const pattern = 'abcdefghijklmnopqrstuvwxyz012345';
    const line = pattern.repeat(10_485_760 / pattern.length);
    const waiting = desk.json('console_read', { expect: 'THE END', timeout_ms: 50_000 });
    await desk.guest.print(line);
    await desk.guest.print('THE END\r\n');
    expect(await waiting).toMatchObject({ reason: 'match', lost_bytes: 0, next: line.length + 7 });
    const all = await desk.read({ from: 'start' });
    expect(all.length).toBeLessThan(8000);
    expect(outputOf(all)).toMatch(/^abcdefgh[\s\S]*(left out|not kept)[\s\S]*THE END$/);
    expect(outputOf(await desk.read({ from: '8388608', view: 'raw', max_chars: 128 }))).toBe(pattern);
  });

  test('what left a small ring is counted', async () => {
    await using desk = await GuestDesk.at({ ring_bytes: 4096 });
    await desk.guest.print(`${'x'.repeat(9999)}\n`);
    await desk.arrived(10_000);
    const answer = await desk.read({ from: '0' });
    expect(answer).toContain('[5904 bytes were lost before they could be read]');
    expect(answer).toContain('bytes 5904-10000');
    expect(await desk.json('console_read', { from: '0', view: 'raw' })).toMatchObject({ from: 5904, lost_bytes: 5904 });
  });
});
