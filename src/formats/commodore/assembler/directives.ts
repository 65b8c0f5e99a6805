import { breakHere, watch } from './break-directives.ts';
import {
  assertion,
  assignment,
  conditionalMessage,
  cpu,
  definition,
  encoding,
  messageOf,
  nothing,
  origin,
  outputFile,
  segment,
} from './control-directives.ts';
import {
  align,
  basicStub,
  bigEndian,
  fill,
  halves,
  hex,
  lastShifted,
  numbers,
  same,
  strings,
  toPetscii,
  toScreen,
} from './data-directives.ts';
import type { Directive } from './directive.ts';
import { importFile, include, includeBinary } from './file-directives.ts';

const families: readonly (readonly [string, Directive])[] = [
  ['byte byt by db char b 8 08 bytes', numbers(1)],
  ['word wo dw addr 16 words w sint', numbers(2)],
  ['long faraddr 24', numbers(3)],
  ['dword dint dlong 32 dl', numbers(4)],
  [
    'rta',
    (context, args) => {
      for (const argument of args) context.emitNumber((context.value(argument) ?? 1) - 1, 2, argument.column);
    },
  ],
  ['dbyt be16', bigEndian],
  ['lobytes', halves(0)],
  ['hibytes', halves(8)],
  ['hex h', hex],
  ['text tx asc', strings(same)],
  ['pet', strings(same, toPetscii)],
  ['scr screen', strings(same, toScreen)],
  ['raw ascii', strings(same, () => 'ascii')],
  ['null asciiz', strings((bytes) => [...bytes, 0])],
  ['ptext', strings((bytes) => [bytes.length, ...bytes])],
  ['shift', strings(lastShifted)],
  ['fill fi res skip ds dsb', fill],
  ['align', align],
  ['org pc', origin],
  ['include source src', include],
  ['incbin binary bin', includeBinary],
  ['import', importFile],
  ['basicstub basic basicupstart basicupstart2', basicStub],
  ['encoding enc charset', encoding],
  ['const label equ', assignment(false)],
  ['var set eval', assignment(true)],
  ['define', definition],
  ['segment', segment],
  ['zeropage', (context) => context.segment('ZEROPAGE')],
  ['bss', (context) => context.segment('BSS')],
  ['code data rodata', (context) => context.segment('CODE')],
  ['error serious', (context, args) => context.fail(context.column, messageOf(args))],
  ['warning warn', (context, args) => context.warn(context.column, messageOf(args))],
  ['assert', assertion],
  ['cerror errorif', conditionalMessage('fail')],
  ['cwarn', conditionalMessage('warn')],
  ['cpu setcpu', cpu],
  ['break', breakHere],
  ['watch', watch],
  ['to', outputFile],
  [
    'export global globl local p02 debuginfo list nolist macpack feature fopt autoimport case exportzp symbollist sl',
    nothing,
  ],
];

/** The directives without a block, by name. */
export const directives: ReadonlyMap<string, Directive> = new Map(
  families.flatMap(([names, directive]) => names.split(' ').map((name): [string, Directive] => [name, directive])),
);
