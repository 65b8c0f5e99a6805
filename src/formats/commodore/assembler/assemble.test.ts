import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assemble } from './assemble.ts';
import type { AssembleOptions } from './assembly.ts';

/** The bytes in hex; a problem of the source fails the test. */
function hex(source: string, options: AssembleOptions = {}): string {
  const { bytes, errors } = assemble(source, { origin: 0x1000, ...options });
  expect(errors).toEqual([]);
  return Buffer.from(bytes).toString('hex');
}

const firstError = (source: string, options: AssembleOptions = {}) => assemble(source, options).errors[0];

describe('labels', () => {
  test('with colon, in column 1, and before an instruction', () => {
    expect(hex('a1: nop\nb1\n nop\nc1 nop\n jmp a1\n jmp b1\n jmp c1')).toBe('eaeaea4c00104c01104c0210');
  });
  test('local labels belong to the last global one', () => {
    const source = (prefix: string) => `one:\n${prefix}x: nop\n jmp ${prefix}x\ntwo:\n${prefix}x: nop\n jmp ${prefix}x`;
    for (const prefix of ['.', '@', '_']) expect(hex(source(prefix))).toBe('ea4c0010ea4c0410');
    expect([...assemble(source('.')).symbols.keys()]).toEqual(['one', 'one.x', 'two', 'two.x']);
    expect(hex('one:\n.x: nop\ntwo: jmp one.x')).toBe('ea4c0010');
  });
  test('a local label that is unique in its zone is seen from other globals', () => {
    expect(hex('!zone a\nmain lda .data\nmore rts\n.data !byte 1\n!zone b\nother lda .data\n.data !byte 2')).toBe(
      'ad0410' + '60' + '01' + 'ad0810' + '02',
    );
  });
  test('anonymous labels of ACME, 64tass, ca65 and KickAssembler', () => {
    expect(hex('- nop\n bne -\n beq +\n nop\n+ rts')).toBe('ead0fdf001ea60');
    expect(hex('-- nop\n- nop\n bne -\n bne --')).toBe('eaead0fdd0fa');
    expect(hex('- nop\n- nop\n bne --')).toBe('eaead0fc');
    expect(hex(':\n nop\n bne :-\n beq :+\n nop\n: rts')).toBe('ead0fdf001ea60');
    expect(hex('!loop: nop\n bne !loop-\n beq !+\n nop\n!: rts')).toBe('ead0fdf001ea60');
  });
  test('scopes and procedures', () => {
    const source =
      '.proc draw\nloop: nop\n jmp loop\n.endproc\n.proc clear\nloop: nop\n jmp loop\n.endproc\n jmp draw::loop\n jmp clear.loop\n jsr draw';
    expect(hex(source)).toBe('ea4c0010ea4c04104c00104c0410200010');
    expect(hex('.namespace a {\nx: nop\n}\nb: {\nx: jmp x\n}\n jmp a.x\n jmp b.x')).toBe('ea4c01104c00104c0110');
  });
});

describe('expressions', () => {
  const value = (text: string) => {
    const { symbols, errors } = assemble(`five = 5\nx = ${text}`);
    expect(errors).toEqual([]);
    return symbols.get('x')?.value;
  };
  test.for([
    ['1+2*3', 7],
    ['(1+2)*3', 9],
    ['$ff - 0x0f', 240],
    ['%1010 | %0101', 15],
    ['%..##', 3],
    ['17 % 5', 2],
    ['five%3', 2],
    ['7/2', 3],
    ['-7/2', -3],
    ['1 << 4 + 1', 32],
    ['6 & 3 == 3', 0],
    ['<$1234 + 1', 0x35],
    ['>$12ff + 1', 0x13],
    ['>$1234 | $80', 0x92],
    ['!0 + !5', 1],
    ['~0 & $ff', 255],
    ['5 > 3 && 2 < 1', 0],
    ['5 > 3 || 2 < 1', 1],
    ['five = 5', 1],
    ['five != 5', 0],
    ['five == 5 ? 10 : 20', 10],
    ["'a'", 0x41],
    ['"a" + 1', 0x42],
    ['min(3, five, 4)', 3],
    ['int(sin(0.5) * 100)', 47],
    ['.lobyte($1234)', 0x34],
    ['[1+1]*2', 4],
    ['5 xor 1', 4],
  ] as const)('%s is %i', ([text, wanted]) => expect(value(text)).toBe(wanted));
  test('* is the address of the statement', () => {
    expect(hex(' nop\n jmp *\n .word *, *')).toBe('ea4c011004100410');
  });
  test('problems name the column', () => {
    expect(firstError('x = 5 +')).toMatchObject({ line: 1, column: 8 });
    expect(firstError(' lda #1/0')).toMatchObject({ column: 8, message: 'division by zero' });
    expect(firstError(' lda (5')).toMatchObject({ message: expect.stringContaining("')'") });
  });
});

describe('addressing', () => {
  test('the zero page is chosen where it fits, also for names that follow later', () => {
    expect(hex(' lda zp\n lda far\nzp = $fb\nfar = $0400')).toBe('a5fbad0004');
    expect(hex(' lda zp,x\n ldx zp,y\n lda zp,y\n jmp zp\nzp = 5')).toBe('b505b605b905004c0500');
  });
  test('forcing a size', () => {
    expect(hex(' lda.w 5\n lda+2 5\n lda a:5\n lda @w 5\n lda $0005\n lda.z $05\n lda+1 5')).toBe(
      'ad0500ad0500ad0500ad0500ad0500a505a505',
    );
  });
  test('indirect forms, and parentheses around a value', () => {
    expect(hex(' lda (5),y\n lda (5,x)\n jmp (5)\n jmp ($1234)\n lda (5+1)*2\n lda (1+1)*2,x')).toBe(
      'b105a1056c05006c3412a50cb504',
    );
    expect(assemble(' lda (5)').warnings[0]?.message).toContain('parentheses do nothing');
  });
  test('accumulator with and without a', () => expect(hex(' asl\n asl a\n LSR A\n rol')).toBe('0a0a4a2a'));
  test('a label that shrinks what comes before it settles', () => {
    const { errors, bytes, passes } = assemble('* = $f8\n lda end\n lda end\nend:', {});
    expect(errors).toEqual([]);
    expect([...bytes]).toEqual([0xa5, 0xfc, 0xa5, 0xfc]);
    expect(passes).toBeGreaterThan(2);
  });
  test('branches out of reach say how far', () => {
    const error = firstError('loop:\n .fill 200\n bne loop');
    expect(error).toMatchObject({ line: 3, column: 6 });
    expect(error?.message).toContain('-202');
    expect(error?.message).toContain('74 too far');
    expect(hex('loop:\n .fill 126\n bne loop').slice(-4)).toBe('d080');
  });
  test('long branches turn around where they have to', () => {
    expect(hex('loop: jne loop\n .fill 200\n jne loop').slice(0, 4)).toBe('d0fe');
    expect(hex('loop: nop\n .fill 200\n jne loop').slice(-10)).toBe('f0034c0010');
  });
  test('what does not exist is answered with what does', () => {
    expect(firstError(' stx $1000,y')?.message).toContain('not in the zero page');
    expect(firstError(' sta #5')?.message).toContain('zp,x');
    expect(firstError(' lda #$1234')?.message).toContain('#<');
    expect(firstError(' lda 70000')?.message).toContain('not an address');
    expect(firstError(' jmp')?.message).toContain('needs an operand');
  });
});

describe('data', () => {
  test('bytes, words and text', () => {
    expect(hex('.byte 1, $ff, -1, "a", <$1234\n!byte 2\n.db 3\n.byt 4')).toBe('01ffff4134020304');
    expect(hex('.word $1234, -1\n!word 1\n.dw 2\n.dbyt $1234\n.dword $12345678')).toBe('3412ffff01000200123478563412');
    expect(hex('.text "aB{clr}", 13\n.null "a"\n.ptext "ab"\n.shift "ab"')).toBe('41c2930d410002414241c2');
    expect(hex('.scr "aB@ "\n!scr "z"')).toBe('0142002' + '01a');
    expect(
      hex(
        '.encoding "petscii_upper"\n.text "aB"\n.encoding "ascii"\n.text "aB"\n.encoding "screencode_mixed"\n.text "a"',
      ),
    ).toBe('4142614201');
    expect(hex('!ct scr {\n!text "a"\n}\n!text "a"')).toBe('0141');
  });
  test('a capital letter warns once that it is shifted', () => {
    expect(assemble('.text "A"\n.text "B"').warnings).toHaveLength(1);
    expect(assemble('.encoding "petscii_mixed"\n.text "A"').warnings).toEqual([]);
  });
  test('fill, res, align', () => {
    expect(hex('.fill 3, $ea\n!fill 2\n.res 1, 5\n.byte 1\n.align 8\n.byte 2')).toBe('eaeaea000005010002');
    expect(hex(' nop\n!align 3, 0\n nop')).toBe('eaeaeaeaea');
  });
  test('segments, gaps and overlaps', () => {
    const result = assemble('* = $1000\n nop\n* = $1004\n rts\n.org $0ffe\n .word 1');
    expect(result.origin).toBe(0x0ffe);
    expect(Buffer.from(result.bytes).toString('hex')).toBe('0100ea00000060');
    expect(result.segments.map(({ address }) => address)).toEqual([0x1000, 0x1004, 0x0ffe]);
    expect(assemble('* = $1000\n .fill 8\n* = $1004\n nop').warnings[0]?.message).toContain('lies over');
  });
  test('the load address of a PRG in the source is left out', () => {
    for (const source of ['.word $0801\n* = $0801\n nop', '* = $07ff\n.word $0801\n nop']) {
      const { origin, bytes } = assemble(source);
      expect([origin, ...bytes]).toEqual([0x0801, 0xea]);
    }
  });
  test('code for another address', () => {
    expect(hex(' nop\n.logical $c000\nx: jmp x\n.here\ny: jmp y')).toBe('ea4c00c04c0410');
    expect(hex('!pseudopc $c000 {\nx: jmp x\n}\n nop')).toBe('4c00c0ea');
  });
  test('a BASIC line that starts the program', () => {
    for (const stub of ['.basicstub', '.basic start', 'BasicUpstart2(start)']) {
      const { origin, bytes, errors } = assemble(`${stub}\nstart: rts`);
      expect(errors).toEqual([]);
      expect(origin).toBe(0x0801);
      expect(Buffer.from(bytes).toString('hex')).toBe('0b080a009e32303631000000' + '60');
    }
  });
});

describe('macros and conditions', () => {
  test('the four ways to write and call a macro', () => {
    const wanted = 'a9058d20d0a9068d20d0';
    expect(hex('.macro set v, to\n lda #v\n sta to\n.endm\n set 5, $d020\n .set2 = 0\n set 6, $d020')).toBe(wanted);
    expect(hex('!macro set .v, .to {\n lda #.v\n sta .to\n}\n +set 5, $d020\n +set 6, $d020')).toBe(wanted);
    expect(hex('set .macro v, to\n lda #\\v\n sta \\2\n .endm\n #set 5, $d020\n set 6, $d020')).toBe(wanted);
    expect(hex('.macro put(v, to) {\n lda #v\n sta to\n}\n put(5, $d020)\n :put(6, $d020)')).toBe(wanted);
  });
  test('arguments are values, labels inside are its own, defaults fill in', () => {
    expect(hex('.macro twice v\n .byte v*2\n.endm\n twice 1+2')).toBe('06');
    expect(hex('.macro wait\nloop: dex\n bne loop\n.endm\n wait\n wait')).toBe('cad0fdcad0fd');
    expect(hex('.macro m v = 7\n .byte v\n.endm\n m\n m 1')).toBe('0701');
    expect(hex('.macro load src\n lda src\n.endm\n load #5\n load (6),y')).toBe('a905b106');
  });
  test('if, elseif, else in both styles', () => {
    const source = (n: number) => `n = ${n}\n.if n = 1\n .byte 1\n.elseif n = 2\n .byte 2\n.else\n .byte 3\n.endif`;
    expect([1, 2, 5].map((n) => hex(source(n)))).toEqual(['01', '02', '03']);
    const braces = (n: number) => `n = ${n}\n!if n = 1 {\n !byte 1\n} else if n = 2 {\n !byte 2\n} else {\n !byte 3\n}`;
    expect([1, 2, 5].map((n) => hex(braces(n)))).toEqual(['01', '02', '03']);
    expect(hex('!if 1 { !byte 1 } else { !byte 2 }')).toBe('01');
    expect(hex('.ifdef debug\n .byte 1\n.else\n .byte 2\n.endif', { symbols: { debug: 1 } })).toBe('01');
    expect(hex('.ifndef debug\n .byte 1\n.endif\ndebug = 1')).toBe('01');
  });
  test('loops', () => {
    expect(hex('.repeat 3, i\n .byte i\n.endrepeat')).toBe('000102');
    expect(hex('!for i, 1, 3 { !byte i }')).toBe('010203');
    expect(hex('!for i, 3, 1 { !byte i }')).toBe('030201');
    expect(hex('.for (var i = 0; i < 3; i++) {\n .byte i\n}')).toBe('000102');
    expect(hex('.for i = 0, i < 3, i = i + 1\n .byte i\n.next')).toBe('000102');
    expect(hex('n := 0\n.while n < 3\n .byte n\n n := n + 1\n.endwhile')).toBe('000102');
  });
  test('statements on one line and comments of all kinds', () => {
    expect(hex(' nop : nop ; no : more\n nop // no\n /* nop\n nop */ nop')).toBe('eaeaeaea');
  });
});

describe('files', () => {
  test('include and incbin', () => {
    const files: Record<string, string> = { 'a.inc': 'color = 5\n.include "b.inc"', 'b.inc': ' lda #color' };
    const binary = Uint8Array.from([1, 2, 3, 4]);
    const options: AssembleOptions = {
      include: (path) => files[path],
      includeBinary: (path) => (path === 'x.bin' ? binary : undefined),
    };
    expect(hex('.include "a.inc"\n!source "b.inc"', options)).toBe('a905a905');
    expect(hex('.incbin "x.bin"\n.incbin "x.bin", 2\n!bin "x.bin", 1, 3', options)).toBe('010203040304' + '04');
    expect(firstError('.include "none"', options)).toMatchObject({
      column: 10,
      message: expect.stringContaining('none'),
    });
    expect(firstError('.incbin "none"', options)?.message).toContain('none');
    expect(firstError('.include "me"', { include: () => '.include "me"' })?.message).toContain('by itself');
  });
});

describe('problems', () => {
  test('all are found, with file, line, column and text, at most 20', () => {
    const { errors } = assemble(' lda #missing\n ldaa 5\n .bite 3\n sta\nx = 1\nx = 2', { fileName: 'a.asm' });
    expect(errors.map(({ line, column }) => [line, column]).sort()).toEqual([
      [1, 7],
      [2, 2],
      [3, 2],
      [4, 2],
      [6, 1],
    ]);
    expect(errors.every(({ file, text }) => file === 'a.asm' && text !== '')).toBe(true);
    expect(assemble(' lda #nope\n'.repeat(50)).errors).toHaveLength(20);
  });
  test('suggestions', () => {
    expect(firstError('counter = 5\n lda conter')?.message).toContain('did you mean counter?');
    expect(firstError('Counter = 5\n lda counter')?.message).toContain('did you mean Counter?');
    expect(firstError(' lad #5')?.message).toContain('did you mean');
    expect(firstError(' .wrod 5')?.message).toContain('did you mean .word?');
  });
  test('in a macro it says who called', () => {
    expect(firstError('.macro m\n lda nope\n.endm\n m')).toMatchObject({
      line: 2,
      message: expect.stringContaining('called at source:4'),
    });
  });
  test.for([
    '.if 1\n nop',
    '.endif',
    '}',
    '.macro m\n nop',
    '!if 1 {\n nop',
    '.text "abc',
    '.fill -1',
    '.fill 1000000',
    '.repeat 100000000\n nop\n.endrepeat',
    '.while 1\n.endwhile',
    '.macro m\n m\n.endm\n m',
    'a = b\nb = a',
    'x = x + 1',
    '* = $fff0\n .fill 100',
    '* = 70000',
    ' .align 0',
    '.error "stop"',
    '.assert 1 = 2, error, "no"',
    '.encoding "klingon"',
    '.encoding "constructor"',
    ' lda #1 constructor 2',
    ' lda #"你"',
    '!cpu 65816',
    '\u0000',
    ' lda ,x',
    ' lda 5,z',
    ' lda 5,x,y',
    ' bne -',
    '= 5',
    '.macro',
    '.for',
  ])('never throws, always reports: %j', (source) => {
    expect(assemble(source).errors.length).toBeGreaterThan(0);
  });
});

test('no text, however odd, makes it throw', () => {
  const words =
    'lda # ( ) , x y a $ff %101 name name: .loc @loc _l + - * = *= .byte .word .text "abc" \'a\' .macro .endm m .if .else .endif .repeat .endrepeat .for { } !for !if !zone !byte +m #m :m : < > ? ! !l: !l- .proc .endproc .logical .here .include .fill 3 .align .org bne jne lda.w .basicstub .var / 0 \\1 ; // /* */ . :: a::b .segment .assert " \' [ ]'.split(
      ' ',
    );
  const piece = fc.oneof(fc.constantFrom(...words), fc.constant('\n'), fc.constant('\n '), fc.string({ maxLength: 4 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const { errors } = assemble(pieces.join(' '), { include: () => 'nop', includeBinary: () => new Uint8Array(4) });
      expect(errors.length).toBeLessThanOrEqual(20);
    }),
    { numRuns: 300 },
  );
});

describe('what debuggers read', () => {
  const source = [
    '; @mcp-irq-handler: Raster interrupt at line 100',
    '; @mcp-state: keeps A',
    'irq:    lda #1',
    '        jmp $ea31 ; @mcp-irq-exit: the KERNAL goes on',
    'limit = 100',
  ].join('\n');
  const result = assemble(source, { fileName: 'irq.asm', origin: 0xc000 });
  test('annotations', () => {
    expect(result.annotations).toEqual([
      {
        type: 'irq-handler',
        description: 'Raster interrupt at line 100',
        file: 'irq.asm',
        line: 1,
        address: 0xc000,
        label: 'irq',
      },
      { type: 'state', description: 'keeps A', file: 'irq.asm', line: 2, address: 0xc000, label: 'irq' },
      { type: 'irq-exit', description: 'the KERNAL goes on', file: 'irq.asm', line: 4, address: 0xc002, label: 'irq' },
    ]);
  });
  test('lines, listing and symbols', () => {
    expect(result.lines).toEqual([
      { address: 0xc000, length: 2, file: 'irq.asm', line: 3 },
      { address: 0xc002, length: 3, file: 'irq.asm', line: 4 },
    ]);
    expect(result.listing).toHaveLength(5);
    expect(result.listing[2]).toMatchObject({ address: 0xc000, line: 3, source: 'irq:    lda #1' });
    expect([...(result.listing[2]?.bytes ?? [])]).toEqual([0xa9, 1]);
    expect(result.symbols.get('irq')).toEqual({
      name: 'irq',
      value: 0xc000,
      kind: 'label',
      scope: '',
      file: 'irq.asm',
      line: 3,
    });
    expect(result.symbols.get('limit')).toMatchObject({ value: 100, kind: 'constant' });
  });
});

test('empty repetitions within each other count as work', () => {
  const nested = (levels: number) => `${'.repeat 60000\n'.repeat(levels)}${'.endrepeat\n'.repeat(levels)}`;
  expect(() => assemble(nested(2), { mostEffort: 100_000 })).toThrow('too much work');
});
