import { assemble } from '../../../src/formats/commodore/assembler/assemble.ts';
import { EffortExceeded } from '../../../src/formats/commodore/assembler/assembler.ts';
import { detokenise } from '../../../src/formats/commodore/basic/detokenise.ts';
import { relinked } from '../../../src/formats/commodore/basic/relinked.ts';
import { tokenise } from '../../../src/formats/commodore/basic/tokenise.ts';
import { MediaError } from '../../../src/formats/commodore/media/byte-fields.ts';
import { CommodoreDisk } from '../../../src/formats/commodore/media/commodore-disk.ts';
import { readCrt, writeCrt } from '../../../src/formats/commodore/media/crt.ts';
import { detectMedia } from '../../../src/formats/commodore/media/detect-media.ts';
import { DiskError } from '../../../src/formats/commodore/media/disk-error.ts';
import { readG64, sectorsOfG64, writeG64 } from '../../../src/formats/commodore/media/g64.ts';
import { readP00, writeP00 } from '../../../src/formats/commodore/media/p00.ts';
import { g64OfP64 } from '../../../src/formats/commodore/media/p64.ts';
import { p64Of, pulsesOf, signedP64 } from '../../../src/formats/commodore/media/p64-testing.ts';
import { readPrg, sysAddress, writePrg } from '../../../src/formats/commodore/media/prg.ts';
import { SectorImage } from '../../../src/formats/commodore/media/sector-image.ts';
import { readT64 } from '../../../src/formats/commodore/media/t64.ts';
import { pulses, readTap, tapCycles } from '../../../src/formats/commodore/media/tap.ts';
import { numberLines } from '../../../src/formats/commodore/symbols/number-lines.ts';
import { readSymbols } from '../../../src/formats/commodore/symbols/read-symbols.ts';
import { scanAnnotations } from '../../../src/formats/commodore/symbols/scan-annotations.ts';
import { cartridgeOf } from '../../../src/machines/commodore/cartridges/cartridge-types.ts';
import { gcrSurface } from '../../../src/machines/commodore/drive/gcr-image.ts';
import { type FuzzTarget, fileOf, long, textOf, word } from '../fuzz-target.ts';

const program = () => tokenise('10 print "hello"\n20 sys 2061').bytes;

const cartridge = (hardware: number) =>
  writeCrt({
    name: 'FUZZ',
    version: 0x100,
    hardware,
    hardwareName: '',
    exrom: 0,
    game: 1,
    chips: [0, 1].map((bank) => ({
      type: 'rom' as const,
      bank,
      address: 0x8000,
      size: 0x2000,
      bytes: new Uint8Array(0x2000).fill(bank + 1),
    })),
  });

function disk(kind: 'd64' | 'd71' | 'd81'): Uint8Array {
  const made = CommodoreDisk.create(kind, 'FUZZ', 'FZ');
  made.write('FIRST', program(), 'PRG');
  made.write('SECOND', new Uint8Array(600).fill(65), 'SEQ');
  return made.image.bytes;
}

const t64 = () =>
  fileOf(
    138,
    [0, 'C64 tape image file'],
    [0x20, [0, 1, 2, 0, 2, 0]],
    [0x28, 'FUZZ'],
    [64, [1, 0x82, ...word(0x801), ...word(0x80b), 0, 0, ...long(128)]],
    [80, 'FIRST'],
  );

const tap = () => fileOf(40, [0, 'C64-TAPE-RAW'], [12, [1]], [16, long(20)], [20, [0x30, 0x42, 0, 1, 2, 3, 0x56]]);

/** Track and sector 18/0, where everything hangs together. */
const track18 = 357 * 256;
const directory: FuzzTarget['focus'] = [
  [track18, track18 + 0x100],
  [track18 + 0x100, track18 + 0x160],
  [17 * 21 * 256 - 512, 17 * 21 * 256],
];

const media = [MediaError, DiskError, RangeError] as const;

function useDisk(input: Uint8Array): void {
  const used = new CommodoreDisk(new SectorImage(input.slice()));
  for (const entry of used.directory()) {
    try {
      used.read(entry);
      used.records(entry);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
    }
  }
  used.write('NEW', new Uint8Array(3000), 'PRG');
  used.scratch('*');
  used.validate();
}

const source = `; a comment
* = $c000
start: lda #<text
  ldx #>text
  bne start+2
.macro twice(a, b)
  lda \\a
  sta \\b
.endmacro
.repeat 4
  inc $d020
.endrepeat
  twice #1, $d021
text: .text "hello"
  .byte 1, 2, (3+4)*5, 'x'
  .word start, text
.if start > 5
  rts
.else
  brk
.endif
`;

const labels = `al C:c000 .start ; @mcp-function: begin
al C:c010 .loop
break c000 if a == 5
watch store d020 d021
`;
const dbg = `version	major=2,minor=0
info	file=1,lib=0,line=2,mod=1,scope=1,seg=1,span=2,sym=1
file	id=0,name="a.s",size=10,mtime=0x1,mod=0
line	id=0,file=0,line=3,span=0
span	id=0,seg=0,start=0,size=2
seg	id=0,name="CODE",start=0xC000,size=0x10
scope	id=0,name="",mod=0,size=3
sym	id=0,name="start",addrsize=absolute,scope=0,def=0,val=0xC000,seg=0,type=lab
`;
const tass = 'start = $c000\nloop\t= 49168\n';
const kick = '.label start=$c000\n.namespace a {\n  .label b = $1000\n}\n';
const kickDebug = `<C64debugger version="1.0">
<Sources values="INDEX,FILE">
 1,main.asm
</Sources>
<Segment name="Default" dest="" values="START,END,FILE_IDX,LINE1,COL1,LINE2,COL2">
 <Block name="Code">
  $c000,$c002,1,4,1,4,5
 </Block>
</Segment>
<Labels values="SEGMENT,ADDRESS,NAME">
 Default,$c000,start
</Labels>
<Breakpoints values="SEGMENT,ADDRESS,ARGUMENT">
 Default,$c000,if a == 5
</Breakpoints>
</C64debugger>
`;
const oscar =
  '{"memory":[{"name":"main","start":2176,"end":2229,"source":"a.c","line":2}],"variables":[],"functions":[{"name":"main","start":2176,"lines":[{"start":2176,"end":2198,"source":"a.c","line":4}]}]}';
const acmeReport = `
; ******** Source: main.a
     4  c000 a901               start   lda #1 ; @mcp-state: one
     5  c002 0102030405060708...        !byte 1,2,3,4,5,6,7,8,9
`;
const tassListing = `
; 64tass Turbo Assembler Macro V1.58 listing file
;******  Processing input file: main.tass
.c000\ta9 01\t\tlda #$01\tstart   lda #1
>c002\t01 02 03 04 05 06 07 08\t\t .byte 1,2,3
`;
const json =
  '{"format":"frontpanel-symbols","version":1,"symbols":[{"name":"a","address":49152}],"lines":[],"annotations":[]}';

export const commodoreTargets: readonly FuzzTarget[] = [
  {
    name: 'media',
    seeds: () => [cartridge(0), t64(), tap(), disk('d64').slice(0, 1000), program()],
    read: (input) => detectMedia(input, 'a.prg'),
    refusals: [],
  },
  {
    name: 'crt',
    seeds: () => [0, 1, 5, 19, 32].map(cartridge),
    focus: [
      [0, 0x60],
      [0x2050, 0x2070],
    ],
    read: useCartridge,
    refusals: [MediaError],
  },
  { name: 'd64', seeds: () => [disk('d64')], focus: directory, read: useDisk, refusals: media },
  { name: 'd71', seeds: () => [disk('d71')], focus: directory, read: useDisk, refusals: media },
  {
    name: 'd81',
    seeds: () => [disk('d81')],
    focus: [[39 * 40 * 256, 39 * 40 * 256 + 1100]],
    read: useDisk,
    refusals: media,
  },
  {
    name: 'g64',
    seeds: () => [writeG64(new SectorImage(disk('d64'))).slice(0, 30_000)],
    focus: [
      [0, 700],
      [684, 760],
    ],
    read: (input) => {
      const read = readG64(input);
      sectorsOfG64(read, SectorImage.blank(new SectorImage(disk('d64')).geometry));
      gcrSurface.imageOf(input);
    },
    refusals: media,
  },
  {
    name: 'p64',
    seeds: () => [p64Of(new Map([[2, pulsesOf(new Uint8Array(700).fill(0x55), 3)]]))],
    focus: [[0, 60]],
    read: (input) => {
      for (const steps = g64OfP64(signedP64(input)); !steps.next().done; );
    },
    refusals: media,
  },
  { name: 't64', seeds: () => [t64()], read: readT64, refusals: media },
  {
    name: 'tap',
    seeds: () => [tap()],
    read: (input) => {
      const read = readTap(input);
      tapCycles(read);
      return [...pulses(read)].length;
    },
    refusals: media,
  },
  {
    name: 'p00',
    seeds: () => [writeP00({ name: 'A', recordLength: 0, bytes: program() })],
    read: readP00,
    refusals: media,
  },
  {
    name: 'prg',
    seeds: () => [program(), writePrg({ address: 0xc000, bytes: Uint8Array.of(1, 2) })],
    read: (input) => sysAddress(readPrg(input)),
    refusals: media,
  },
  { name: 'detokenise', seeds: () => [program()], read: (input) => detokenise(input), refusals: [] },
  {
    name: 'tokenise',
    seeds: () => ['10 print "hello"\n20 for i=1 to 10: poke 53280,i: next\n30 rem {clr}{down}\n', '10 ?"{$ff}"'],
    words: ['print', '"', '{', '}', '{clr}', 'rem', 'data', ':', '63999 ', '64000 ', '{$41}', '\n', '~', 'π'],
    read: (input) => tokenise(textOf(input)),
    refusals: [],
  },
  {
    name: 'assembler-6502',
    seeds: () => [source],
    words: [
      '.repeat 60000\n',
      '.endrepeat',
      '.macro m\n',
      '.endmacro',
      '(',
      ')',
      '*=',
      '<',
      '>',
      '+',
      '.fill 60000',
      '.align 4096',
      '"',
      '\\',
      '.if',
      '.else',
      '.endif',
      '.text',
      '.byte',
      '.org',
      '$ffff',
      '%1',
      '9999999999',
      'm',
      ':',
    ],
    read: (input) => assemble(textOf(input), { mostEffort: 200_000 }),
    refusals: [EffortExceeded],
  },
  {
    name: 'symbols-6502',
    seeds: () => [labels, dbg, tass, kick, json, kickDebug, oscar, acmeReport, tassListing],
    words: ['al C:', '.label', '{', '}', '=', '$', 'sym\t', 'id=', 'parent=0', 'scope\tid=0', ',', '"', 'val=0x'],
    read: (input) => readSymbols(textOf(input)),
    refusals: [SyntaxError],
  },
  {
    name: 'basic-links',
    seeds: () => [program()],
    read: (input) => {
      if (relinked(input, 0x1201).length !== input.length) throw new Error('it changed its length');
    },
    refusals: [],
  },
  {
    name: 'source-annotations',
    seeds: () => ['; @mcp-watch score\nscore: .byte 0 ; @mcp-name points\nvoid draw(int a) // @mcp-break\n{'],
    words: ['@mcp-', '@mcp-break ', '; ', '// ', '.proc ', '!zone ', '(', ':', '\n'],
    read: (input) =>
      scanAnnotations(textOf(input), 'a.s', { lines: [{ address: 1, length: 1, file: 'a.s', line: 2 }] }),
    refusals: [],
  },
  {
    name: 'listed-lines',
    seeds: () => ['lda #1\nsta $d020\nrts', 'a\na\nb\n'],
    read: (input) => {
      const text = textOf(input);
      const listed = text.split('\n').map((line, address) => ({ address, length: 1, file: 'a.s', text: line }));
      numberLines([...listed, ...listed.toReversed()], new Map([['a.s', text]]));
    },
    refusals: [],
  },
];

function useCartridge(input: Uint8Array): void {
  const crt = readCrt(input);
  const used = cartridgeOf(crt);
  for (const address of [0xde00, 0xde02, 0xdfff, 0xdf00]) {
    used.read(address);
    used.peek(address);
    used.write(address, 0xff);
    used.writeLow(0x1fff, 1);
    used.writeHigh(0x1fff, 1);
    used.peekRom(0x3fff);
  }
  used.freeze();
  used.file();
  used.reset();
  writeCrt(crt);
}
