import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decoder } from '../../../chips/x86/decode.ts';
import { disassemble } from '../../../chips/x86/disassemble.ts';
import { assemble } from './assemble.ts';
import { EffortExceeded } from './source-error.ts';

const tooLong = 'This takes too long: use fewer or smaller repetitions.';

function doubled(count: number): string {
  const lines = Array.from({ length: count }, (_, number) => `%define d${number + 1} d${number},d${number}`);
  return ['%define d0 1', ...lines, `db d${count}`].join('\n');
}

function hexOf(source: string): string {
  const { bytes, errors } = assemble(source);
  expect(errors).toEqual([]);
  return Buffer.from(bytes).toString('hex');
}

/** Encodings from Intel's manual, written out by hand. */
const encodings: Readonly<Record<string, string>> = {
  'mov ax,[bx+2]': '8b4702',
  'mov [bp],al': '884600',
  'mov ax,[0x1234]': 'a13412',
  'mov byte [es:di],5': '26c60505',
  'add ax,5': '83c005',
  'add bx,0x1234': '81c33412',
  'add word [bx+si+4],-1': '834004ff',
  'cmp al,7': '3c07',
  'xchg ax,bx': '93',
  'xchg bx,[0x1234]': '871e3412',
  'test cl,[si]': '840c',
  'push es': '06',
  'push 5': '6a05',
  'push 500': '68f401',
  'pop word [si]': '8f04',
  'shl ax,1': 'd1e0',
  'shl ax,4': 'c1e004',
  'sar byte [bx],cl': 'd23f',
  'imul ax,bx,10': '6bc30a',
  'imul cx,300': '69c92c01',
  'les di,[bp+4]': 'c47e04',
  'lea si,[bx+di+0x100]': '8db10001',
  'call far [bx]': 'ff1f',
  'jmp 0xf000:0xfff0': 'eaf0ff00f0',
  'ret 4': 'c20400',
  retf: 'cb',
  'rep movsw': 'f3a5',
  'es lodsb': '26ac',
  'repne scasb': 'f2ae',
  'in al,0x60': 'e460',
  'out dx,ax': 'ef',
  'int 0x21': 'cd21',
  'movzx eax,byte [bx]': '660fb607',
  'mov eax,[ebx+ecx*4+8]': '66678b448b08',
  'mov ecx,[eax*2]': '66678b0c00',
  'mov ecx,[nosplit eax*2]': '66678b0c4500000000',
  'mov ecx,[ebp+ebp+4]': '66678b4c2d04',
  'mov eax,cr0': '0f20c0',
  'bt ax,3': '0fbae003',
  'setz al': '0f94c0',
  pushad: '6660',
  aam: 'd40a',
  'fld dword [bx]': 'd907',
  'fld qword [bx]': 'dd07',
  'fstp st1': 'ddd9',
  faddp: 'dec1',
  finit: '9bdbe3',
  'fstsw ax': '9bdfe0',
  'mov ds,ax': '8ed8',
  'mov [bx],ds': '8c1f',
  'test al,1': 'a801',
  'lock inc word [bx]': 'f0ff07',
  xlatb: 'd7',
  'setz [bx]': '0f9407',
  'lmsw [bx]': '0f0137',
  'smsw eax': '660f01e0',
  'smsw ax': '0f01e0',
  'sldt eax': '660f00c0',
  'sldt ax': '0f00c0',
  'str ecx': '660f00c9',
  'sldt [bx]': '0f0007',
  'str word [bx]': '0f000f',
  'bits 32\nsldt eax': '0f00c0',
  'bits 32\nsldt dx': '660f00c2',
  'bits 32\nsmsw ecx': '0f01e1',
  'bits 32\nstr cx': '660f00c9',
  fadd: 'dec1',
  fst: 'ddd1',
  retd: '66c3',
  'retfd 4': '66ca0400',
  'rep\nmovsb': 'f3a4',
  'jmp far [bx]': 'ff2f',
  'db `a\\n\\x41\\\\\\`\\0;`': '610a415c60003b',
  'db 0d10,0t12': '0a0c',
  'nop\nalign 4,db 0': '90000000',
  'nop\nalign 4,int3\nnop': '90cccccc90',
  'mov [0x1234],word 5': 'c70634120500',
  'add [bx],byte 5': '800705',
  'mov ax,\\\n5': 'b80500',
  'and al,~0x80': '247f',
  'and eax,~0x80000000': '6625ffffff7f',
  'dw ~0x8000': 'ff7f',
  'dq 1<<40|0xff': 'ff00000000010000',
  'dd 0xffffffff & 0xf0000000 >> 4': '0000000f',
};

test.for(Object.entries(encodings))('%s is %s', ([source, hex]) => {
  expect(hexOf(source)).toBe(hex);
});

/** The same as NASM writes. */
const wideEncodings: Readonly<Record<string, string>> = {
  'mov eax,[ebx+ecx*4+8]': '8b448b08',
  'mov ax,[0x1234]': '66a134120000',
  'mov ebx,[0x1234]': '8b1d34120000',
  'mov bx,[si+4]': '66678b5c04',
  'mov dword [esp+8],5': 'c744240805000000',
  'mov word [ebp-4],0x1234': '66c745fc3412',
  'push 5': '6a05',
  'push 500': '68f4010000',
  'push word 500': '6668f401',
  'push ax': '6650',
  'jmp 8:0x12345678': 'ea785634120800',
  'jmp word 8:0x1234': '66ea34120800',
  'call [ebx]': 'ff13',
  'jmp far [ebx]': 'ff2b',
  'add eax,0x12345': '0545230100',
  'add ax,0x1234': '66053412',
  cwde: '98',
  cbw: '6698',
  pushad: '60',
  pushfw: '669c',
  iretd: 'cf',
  lodsw: '66ad',
  'rep movsd': 'f3a5',
  'mov [ebx],es': '8c03',
  'movzx eax,word [ebx]': '0fb703',
  'jecxz $': 'e3fe',
  'jcxz $': '67e3fd',
  'o16 push es': '6606',
  'a16 xlatb': '67d7',
  'in ax,dx': '66ed',
  'call $+1000': 'e8e3030000',
  'jz $+500': '0f84ee010000',
  'jz $+5': '7403',
  'imul eax,10': '6bc00a',
  'lgdt [0x200]': '0f011500020000',
};

/** Code of 16 bits that speaks of 32. */
const mixedEncodings: Readonly<Record<string, string>> = {
  'jmp dword 8:0x12345678': '66ea785634120800',
  'o32 lgdt [0x200]': '660f01160002',
  'a32 lodsb': '67ac',
  'push dword 5': '666a05',
  'jmp far dword [bx]': '66ff2f',
  'call $+1000': 'e8e503',
  iretd: '66cf',
};

test.for(Object.entries(wideEncodings))('with 32 bits %s is %s', ([source, hex]) => {
  expect(hexOf(`[bits 32]\n${source}`)).toBe(hex);
  expect(hexOf(`use32\nuse16\nbits 32\n${source}`)).toBe(hex);
});

test.for(Object.entries(mixedEncodings))('with 16 bits %s is %s', ([source, hex]) => {
  expect(hexOf(`bits 16\n${source}`)).toBe(hex);
});

test('what the disassembler writes means the same instruction', () => {
  const decode = (bytes: readonly number[]) => new Decoder('80386', (linear) => bytes[linear] ?? 0x90).decode(0, 0);
  let compared = 0;
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 12, maxLength: 12 }), (bytes) => {
      const instruction = decode(bytes);
      const text = disassemble(instruction);
      // Prefixes that change nothing are not written; 32-bit jumps cannot be.
      // The memory that LAR and LSL read has no size of its own; DR4 and DR5 are other names of DR6 and DR7; 16 bits cannot be extended to 16.
      if (/^l(ar|sl) .*\[|dr[45]|^mov[sz]x [a-ds][xip],(word|[a-ds][xip]$)/.test(text)) return;
      if (text.startsWith('db ') || /esc|callback|^(lock |rep\w* )/.test(text)) return;
      if (
        instruction.operandSize === 32 &&
        /^(j|call|loop|ret|push [cdefgs]s|push [0-9]|pop [cdefgs]s|enter|leave|l[idg]|s[idg]dt)/.test(text)
      )
        return;
      // Without such prefixes it begins earlier, and reaches less far.
      if (/^(loop|j\w*cxz)/.test(text) && instruction.length > 2) return;
      // A wide address without a register is not written as one.
      if (instruction.addressSize === 32 && !/\[[^\]]*e([a-d]x|[sd]i|[sb]p)/.test(text)) return;
      // Of twice a register the shorter form is taken unless asked otherwise.
      const source = text.replace(/\[((?:[c-gs]s:)?)(?=e\w\w\*2)/, '[nosplit $1');
      const { bytes: assembled, errors } = assemble(`org 0\n${source}`);
      expect([text, errors]).toEqual([text, []]);
      expect(disassemble(decode([...assembled]))).toBe(text);
      compared += 1;
    }),
    {
      numRuns: 4000,
      examples: [
        [[0x67, 0xa0, 0, 0, 0xa0, 0xde, 0, 0, 0, 0, 0, 0]],
        [[0x67, 0x00, 0x34, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
        [[0x67, 0x00, 0x34, 0x45, 0, 0, 0, 0, 0, 0, 0, 0]],
      ],
    },
  );
  expect(compared).toBeGreaterThan(1500);
});

test('labels, local labels, constants, sections and repetition', () => {
  const { bytes, symbols, errors } = assemble(`
    %define LIMIT 3
    count equ LIMIT*2
            org 100h
    start:  mov cx,count
    .again: call work
            loop .again
            mov si,text         ; from another section
            mov di,room
            ret
    work:   inc word [room]
    .again: ret
            times 2 nop
    section .data
    text    db 'Hi', 13, 10, "$"
    words   dw 1, -1, 'ab'
    section .bss
    room    resw 2
    behind:`);
  expect(errors).toEqual([]);
  expect(symbols.get('start.again')).toBe(0x103);
  expect(symbols.get('work.again')).toBeGreaterThan(0x103);
  expect(symbols.get('text')).toBe(Math.ceil((symbols.get('work.again') ?? 0) / 4 + 3 / 4) * 4);
  expect(symbols.get('behind')).toBe((symbols.get('room') ?? 0) + 4);
  expect(Buffer.from(bytes).subarray(-11).toString('latin1')).toBe('Hi\r\n$\x01\x00\xff\xffab');
});

test('jumps are as long as they have to be', () => {
  expect(hexOf('a: jmp b\ntimes 127 nop\nb:').slice(0, 4)).toBe('eb7f');
  expect(hexOf('a: jmp b\ntimes 128 nop\nb:').slice(0, 6)).toBe('e98000');
  expect(hexOf('a: jz b\ntimes 128 nop\nb:').slice(0, 8)).toBe('0f848000');
  expect(assemble('a: jz b\ntimes 128 nop\nb:', '8086').errors).toEqual([
    { line: 1, message: 'The target of jz is too far away for a short jump.' },
  ]);
});

test.for([
  ['mov [bx],5', 'How large is the memory operand of mov? Write byte, word or dword before [.'],
  ['mov ax,bl', 'mov does not take these operands.'],
  ['mov al,300', '300 does not fit into the operand of mov.'],
  ['add word [bx],70000', '70000 does not fit into the operand of add.'],
  ['int 256', '256 does not fit into the operand of int.'],
  ['mov ax', 'mov takes 2 operands, not 1.'],
  ['jmp nowhere', 'nowhere is not defined.'],
  ['frobnicate ax', 'frobnicate is not an instruction or directive known here.'],
  ['foo bar', 'foo is not an instruction or directive known here.'],
  ['mov byte ax,1', 'ax has 16 bits: leave its size out.'],
  ['mov al,dword ecx', 'mov does not take these operands.'],
  ['mov ax,word ptr [bx]', 'NASM has no PTR: write word [x], not word ptr [x].'],
  ['mov ax,es:[bx]', 'NASM writes the segment inside: [es:bx].'],
  ['mov ax,[bx+cx]', '16-bit addresses are made of bx or bp, si or di, and a number: [bx+si+4].'],
  ['db 300', '300 does not fit into 1 byte.'],
  ['%macro x 1', 'Macros are not supported; write the lines out or use times.'],
  ['incbin "a"', 'incbin is not supported. Write the bytes with db, or put the file on the drive and open it.'],
  ['bits 64', 'bits 64: code has 16 or 32 bits here.'],
  ['global nowhere', 'global nowhere: no such label.'],
  ['global', 'global takes labels: global start, table.'],
  ['a: global a b', '"b" is not expected here: global takes labels, with commas between them.'],
  ['', 'There is no instruction and no data here: nothing would run but what lies in memory.'],
  ['section .bss\nx: resb 4', 'There is no instruction and no data here: nothing would run but what lies in memory.'],
  ['cpu 586', "cpu 586: this machine's processor is 80386; a source may say 8086, 186, 286, 386."],
  [
    'section .data align=16',
    'section takes one word: "align" is not expected here. Sections lie one after the other, each at a multiple of 4.',
  ],
  ['bits 16 32', 'bits takes one word: "32" is not expected here.'],
  ['align 4 5', '"5" is not expected here.'],
  ['db `\\q`', '\\q is not an escape known here: \\n, \\t, \\x41, \\101 are.'],
  ['mov ax,[word 5]', 'Write word before the bracket: word [bx].'],
  ['%if 1', '%if is not supported: leave out what is not wanted.'],
  ['absolute 0x40', 'absolute is not supported. Use equ for addresses outside the program.'],
  ['dw 1<<64', 'Shifted by 64: from 0 to 63 bits.'],
  ['stosb al', 'stosb takes no operands: it works on [si] and [es:di]. A segment goes before it: es lodsb.'],
  ['movzx ax,bx', 'movzx does not take these operands.'],
  ['inc word far [bx]', 'inc does not take these operands.'],
  ['push near $', 'push does not take these operands.'],
  ['a: nop\na: nop', 'a is defined twice.'],
  ['times 70000 db 0', 'times 70000: from 0 to 65024.'],
  ['times 60000 dw 0', 'The program does not fit into 64 KiB.'],
  ['x equ y+1\ny equ x+1', 'y is not defined.'],
  ['a: times 1-(b-a) nop\nb:', 'The addresses do not settle: a label depends on itself.'],
  ['db "open', 'A text has no closing quote.'],
  ['mov ax,1/0', 'A division by zero.'],
])('%s says what is wrong', ([source = '', message = '']) => {
  expect(assemble(source).errors.map((error) => error.message)).toContain(message);
});

test.for([
  ['brackets', `mov ax,${'('.repeat(10_000)}1`, 'The line has more than 4096 words and signs.'],
  ['some brackets', `mov ax,${'('.repeat(100)}1`, 'Signs and brackets are nested more than 64 deep.'],
  ['signs', `mov ax,${'-'.repeat(1000)}1`, 'Signs and brackets are nested more than 64 deep.'],
  ['registers', `mov ax,[${'bx+'.repeat(1000)}1]`, 'An address is made of two registers and a number at most.'],
  ['prefixes', `${'rep '.repeat(1000)}nop`, 'More than 4 prefixes.'],
  ['a name', `${'x'.repeat(1000)}: nop`, 'A name has more than 255 characters.'],
  ['a number', `db ${'1'.repeat(1000)}`, 'A number has more than 255 digits.'],
  ['a line', `db "${'x'.repeat(100_000)}"`, 'The line has more than 65536 characters.'],
  ['definitions that double each other', doubled(40), 'The line has more than 4096 words and signs.'],
  ['definitions, used often', `${doubled(10)}\n${'db d10\n'.repeat(15_000)}`, tooLong],
  ['repetitions of nothing', 'times 65000 org 100h\n'.repeat(10_000), tooLong],
  ['repetitions of much', `times 65000 resb 0*(${Array(2000).fill('1').join('+')})\n`.repeat(100), tooLong],
  [
    'repetitions that do not fit',
    'times 65000 mov word [bx+si+4],1234\n'.repeat(100),
    'The program does not fit into 64 KiB.',
  ],
  ['a word that every object has', 'constructor ax', 'constructor is not an instruction or directive known here.'],
])('%s without end end', { timeout: 60_000 }, ([, source = '', message = '']) => {
  expect(assemble(source).errors.map((error) => error.message)).toContain(message);
});

test('more work than is allowed ends it', () => {
  expect(() => assemble('times 60000 nop', '80386', 10_000)).toThrow(EffortExceeded);
  expect(assemble('times 60000 nop').errors).toEqual([]);
});

test('dd and dq take reals, and dq whole numbers of 64 bits to the last one', () => {
  expect(hexOf('dq 1.5, -0.75\ndd 3.25, 1e3, -2.e-1')).toBe('000000000000f83f000000000000e8bf0000504000007a44cdcc4cbe');
  expect(hexOf('dq 3fe8000000000123h, -1, 18446744073709551615')).toBe(`230100000000e83f${'ff'.repeat(16)}`);
  expect(hexOf('dd 1e5h\nmov ax,1e5h')).toBe('e5010000b8e501');
  const messageOf = (source: string) => assemble(source).errors.map(({ message }) => message);
  expect(messageOf('dw 1.5')).toEqual(['1.5 needs dd or dq: a real number has 32 or 64 bits here.']);
  expect(messageOf('mov eax,1.5')).toEqual(['1.5 can only stand alone, after dd or dq.']);
  expect(messageOf('dq 1e999')).toEqual(['1e999 is too large.']);
  expect(messageOf('dq 18446744073709551616')).toEqual(['18446744073709551616 does not fit into 8 bytes.']);
  expect(messageOf('dq 3fe8000000000123h+1')).toEqual(['A number of more than 53 bits can only stand alone.']);
});

test('whatever the text, it ends with bytes or with errors', () => {
  const words = [
    'mov',
    'ax',
    'equ',
    'times',
    '[',
    ']',
    ',',
    ':',
    'x',
    '5',
    '$',
    'db',
    '"a"',
    '\n',
    'org',
    '+',
    '-',
    'resb',
    'dq',
    '1.5',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { maxLength: 40 }), (parts) => {
      const { bytes, errors } = assemble(parts.join(' '));
      expect(bytes.length).toBeLessThanOrEqual(65_024);
      for (const { line, message } of errors) {
        expect(line).toBeGreaterThan(0);
        expect(message).toMatch(/\.$/);
      }
    }),
  );
});

test('global is taken for labels that are there, as every label is known anyway', () => {
  expect(hexOf('global a, b\na: nop\nb: ret')).toBe('90c3');
});

test('a source may name the processor there is, and bswap swaps four bytes', () => {
  const messages = (source: string) => assemble(source, '486').errors.map(({ message }) => message);
  expect(messages('cpu 486\nbswap eax')).toEqual([]);
  expect(messages('bswap ax')).toEqual(['bswap of 16 bits is undefined: write xchg al,ah, or rol ax,8.']);
});
