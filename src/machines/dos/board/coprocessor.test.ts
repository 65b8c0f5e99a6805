import { describe, expect, test } from 'vitest';
import { at, com, dos, exit, hook, label, print, short, word } from './com-testing.ts';
import { SystemBench } from './system-testing.ts';

/** Four times the angle of 1, times 10^15, as decimal digits on the screen. */
const pi = com([
  // fninit / fld1 / fld1 / fpatan
  [0xdb, 0xe3, 0xd9, 0xe8, 0xd9, 0xe8, 0xd9, 0xf3],
  // fimul word [four] / fimul dword [billion] / fimul dword [million] / fbstp [digits] / wait
  [0xde, 0x0e, at('four'), 0xda, 0x0e, at('billion'), 0xda, 0x0e, at('million'), 0xdf, 0x36, at('digits'), 0x9b],
  // mov si,digits+8 / mov cx,9 / next: mov al,[si] / dec si / mov ah,al
  [0xbe, at('digits', 8), 0xb9, word(9), label('next'), 0x8a, 0x04, 0x4e, 0x88, 0xc4],
  // shr al,4 / and ah,0Fh / or ax,3030h / push ax / mov dl,al / mov ah,2 / int 21h / pop ax / mov dl,ah / mov ah,2 / int 21h
  [0xc0, 0xe8, 0x04, 0x80, 0xe4, 0x0f, 0x0d, word(0x3030), 0x50, 0x88, 0xc2, 0xb4, 0x02, 0xcd, 0x21],
  [0x58, 0x88, 0xe2, 0xb4, 0x02, 0xcd, 0x21, 0xe2, short('next'), exit()],
  [label('four'), word(4), label('billion'), word(0xca00), word(0x3b9a), label('million'), word(0x4240), word(0x000f)],
  [label('digits'), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
]);

test('a program computes pi and prints its digits', () => {
  const bench = new SystemBench({ 'PI.COM': pi }, ['pi']).run();
  expect(bench.screen).toContain('003141592653589793');
});

test('it goes on from a snapshot as if nothing had happened', () => {
  const first = new SystemBench({ 'PI.COM': pi }, ['pi']);
  const { board } = first.system;
  while (!board.fpu?.isInUse) board.run(board.instructions + 1);
  const second = new SystemBench({ 'PI.COM': pi }, ['pi']);
  second.system.board.restore(board.snapshot());
  second.system.restore(first.system.save());
  for (const bench of [first, second]) bench.system.board.run(bench.system.board.instructions + 3000);
  expect(Buffer.compare(first.system.board.bytes, second.system.board.bytes)).toBe(0);
  expect(second.run().screen).toContain('003141592653589793');
});

describe('the machine says whether there is one', () => {
  test.for([true, false])('%s', (coprocessor) => {
    const { system } = new SystemBench({}, [], { coprocessor }).run();
    const { rtc, memory } = system.board;
    const bits = [memory.peek8(0x410) & 2, rtc.peek(0x14) & 2];
    expect(bits).toEqual(coprocessor ? [2, 2] : [0, 0]);
  });
});

describe('an error that is not masked', () => {
  /** fninit / fldcw [control] / fld1 / fldz / fdivp / nop / nop / then what INT 2 counted */
  const dividing = com([
    hook(0x02, 'handler'),
    [0xfb, 0xdb, 0xe3, 0xd9, 0x2e, at('control'), 0xd9, 0xe8, 0xd9, 0xee, 0xde, 0xf9, 0x90, 0x90],
    // cmp byte [count],1 / jne over
    [0x80, 0x3e, at('count'), 1, 0x75, short('over'), print('caught'), label('over'), exit()],
    // inc byte [count] / fnclex / iret, with DS of the program
    [label('handler'), 0x2e, 0xfe, 0x06, at('count'), 0xdb, 0xe2, 0xcf],
    [label('control'), word(0x037b), label('count'), 0, label('caught'), 'one error$'],
  ]);

  test.for(['80286', '80386'] as const)('comes to INT 2 by IRQ 13 beside an %s', (model) => {
    const bench = new SystemBench({ 'DIVIDE.COM': dividing }, ['divide'], { model }).run();
    expect(bench.screen).toContain('one error');
    const { pic, fpu } = bench.system.board;
    expect([pic.peek(0xa0) & 0x20, (fpu?.status ?? 0) & 0xff]).toEqual([0, 0]);
  });

  test('comes there by the NMI beside an 8086', () => {
    const bench = new SystemBench({ 'DIVIDE.COM': dividing }, ['divide'], { model: '8086' }).run();
    expect(bench.screen).toContain('one error');
  });

  test('resets by port F1h', () => {
    // fld1 / out F1h,al / fnstsw [200h]
    const program = com([0xd9, 0xe8, 0xe6, 0xf1, dos(0x4c00)]);
    const bench = new SystemBench({ 'RESET.COM': program }, ['reset']).run();
    expect(bench.system.board.fpu?.isInUse).toBe(false);
  });
});
