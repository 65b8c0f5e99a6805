import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { DosTest } from './suite-test.ts';
import { ToolSession } from './tool-session.ts';

const prompt = '/C:\\\\>\\s*$/';

const source = [
  'code segment',
  'assume cs:code,ds:code',
  'org 100h',
  'start: mov dx,offset text',
  'mov ah,9',
  'int 21h',
  'mov ax,4c07h',
  'int 21h',
  "text db 'built and run',13,10,'$'",
  'code ends',
  'stack segment stack',
  'dw 64 dup (?)',
  'stack ends',
  'end start',
].join('\r\n');

interface Bench {
  readonly session: ToolSession;
  read(name: string): string;
}

/** Real programs, driven through the tools. */
export function programTests(folder: string): DosTest[] {
  const tools = join(folder, 'msdos2/v2.0/bin');
  const test = (
    name: string,
    files: readonly string[],
    texts: Readonly<Record<string, string>>,
    drive: (bench: Bench) => Promise<string | undefined>,
    options: Record<string, unknown> = {},
  ): DosTest => ({
    area: 'programs',
    name,
    async run() {
      const place = mkdtempSync(join(tmpdir(), 'suite-dos-'));
      for (const file of files) copyFileSync(file, join(place, basename(file).toUpperCase()));
      for (const [file, text] of Object.entries(texts)) writeFileSync(join(place, file), text, 'latin1');
      const session = await ToolSession.start({ folder: place, write: true, ...options });
      try {
        return (await drive({ session, read: (file) => readFileSync(join(place, file), 'latin1') })) ?? '';
      } finally {
        await session.close();
        rmSync(place, { recursive: true });
      }
    },
  });
  return [
    test('EDLIN edits a file', [join(tools, 'EDLIN.COM')], { 'A.TXT': 'one\r\ntwo\r\n' }, async ({ session, read }) => {
      await session.enter('edlin a.txt', 'End of input file');
      await session.enter('1', '/1:\\*one/');
      await session.enter('uno', '/\\*\\s*$/');
      await session.enter('e', prompt);
      const text = read('A.TXT');
      return text.startsWith('uno\r\ntwo\r\n') ? '' : `the file is ${JSON.stringify(text)}`;
    }),
    test('DEBUG disassembles', [join(tools, 'DEBUG.COM')], { 'T.COM': '\xb4\x4c\xcd\x21' }, async ({ session }) => {
      await session.enter('debug t.com', '/-\\s*$/');
      await session.enter('u 100 102', '/INT\\s+21/');
      await session.enter('q', prompt);
      return undefined;
    }),
    test(
      'SORT and FIND filter through pipes',
      [join(tools, 'SORT.EXE'), join(tools, 'FIND.EXE')],
      { 'L.TXT': 'pear\r\nbanana\r\ncherry\r\navocado\r\norange\r\n' },
      async ({ session }) => {
        await session.enter('type l.txt | sort', '/avocado\\s+banana\\s+cherry\\s+orange\\s+pear/');
        await session.enter('cls', prompt);
        await session.enter('type l.txt | find "an" | sort', '/sort\\s+banana\\s+orange\\s+C:/');
        return undefined;
      },
    ),
    test(
      'MASM and LINK build a program that runs',
      [join(tools, 'MASM.EXE'), join(tools, 'LINK.EXE')],
      { 'HELLO.ASM': `${source}\r\n\x1a` },
      async ({ session }) => {
        await session.enter('masm hello;', '/Errors\\s+Errors\\s+0\\s+0\\s+C:/');
        await session.enter('cls', prompt);
        await session.enter('link hello;', prompt);
        await session.enter('hello', '/built and run\\s+C:/');
        return undefined;
      },
    ),
    test('a game in mode 13h shows its picture', [join(folder, 'games/pillman.com')], {}, async ({ session }) => {
      await session.type('pillman\n');
      await session.call('run', { frames: 140, timeout_ms: 50_000 });
      const { text, images } = await session.call('screen_read', { mode: 'image' });
      if (!text.includes('320x200')) return text;
      return (images?.[0]?.base64.length ?? 0) > 1500 ? '' : 'the picture is empty';
    }),
    test('FreeDOS boots from a floppy and runs a command', [], {}, ({ session }) => useFreeDos(session), {
      floppy: join(folder, 'freedos/1.4MB.img'),
      boot: 'floppy',
    }),
  ];
}

async function useFreeDos(session: ToolSession): Promise<string | undefined> {
  await session.see('/[A-Z]:\\\\>\\s*$/');
  await session.enter('ver', '/FreeCom|FreeDOS/i');
  return undefined;
}
