import { afterEach, expect, test } from 'vitest';
import { Desk } from './desk.ts';

let desk: Desk;
afterEach(() => desk.close());

interface Read {
  readonly calls: readonly {
    readonly from: { readonly where: string };
    readonly what: string;
    readonly result?: string;
    readonly times?: number;
    readonly poll?: true;
  }[];
}

/** The same calls on each machine; only where a program lies differs. */
const program = (origin: string, wait: string) => `
* = ${origin}
start   lda #2
        ldx #8
        ldy #15
        jsr $ffba
        lda #4
        ldx #<name
        ldy #>name
        jsr $ffbd
        lda #0
        jsr $ffd5
        ldx #0
print   lda text,x
        beq done
        jsr $ffd2
        inx
        bne print
done    jsr $ffe4
        beq done
        jmp ${wait}
name    .text "GAME"
text    .text "HELLO"
        .byte 13, 0
`;

const machines = {
  c64: { open: () => Desk.withC64({ drives: 'fast' }), origin: '$c000' },
  vic20: { open: () => Desk.withVic20({ drives: 'fast' }), origin: '$1400' },
  plus4: { open: () => Desk.withPlus4({ drives: 'fast' }), origin: '$4000' },
} as const;

test.for(Object.entries(machines))('calls_read: what a program on a %s asked the KERNAL for', async ([, machine]) => {
  desk = await machine.open();
  await desk.call('program_run', { source: program(machine.origin, 'start'), start: false });
  await desk.call('registers_write', { values: { PC: machine.origin } });
  await desk.call('run', { frames: 40 });
  const { calls } = (await desk.data('calls_read')) as unknown as Read;
  const own = calls.filter(({ from }) => from.where.slice(0, 3) === machine.origin.toUpperCase().slice(0, 3));
  expect(own.slice(0, 3)).toMatchObject([
    { what: 'SETLFS 2,8,15' },
    { what: 'SETNAM "GAME"' },
    { what: 'LOAD "GAME",8,15', result: 'error 5: device not present' },
  ]);
  expect(own.find(({ what }) => what.startsWith('CHROUT'))).toMatchObject({ what: 'CHROUT "HELLO" $0D' });
  const poll = own.find((call) => call.poll);
  expect(poll).toMatchObject({ what: 'GETIN', result: 'nothing' });
  expect(poll?.times).toBeGreaterThan(100);
  expect(await desk.call('calls_read', { filter: 'setnam' })).toMatch(/SETNAM "GAME" = done \[\$\w{4} start/);
});

test('calls_read forgets what lies ahead of a machine that was taken back', async () => {
  desk = await Desk.withC64();
  await desk.call('program_run', { source: '* = $c000\nloop lda #65\n jsr $ffd2\n jmp loop' });
  await desk.call('run', { frames: 4 });
  const before = (await desk.data('calls_read', { filter: 'chrout' })) as unknown as Read;
  expect(before.calls.length).toBeGreaterThan(0);
  await desk.call('run', { frames: 6, back: true });
  const after = (await desk.data('calls_read', { filter: 'chrout "A' })) as unknown as Read;
  expect(after.calls.length).toBeLessThan(before.calls.length);
});

test('coverage_read map: which memory is code, and which data', async () => {
  desk = await Desk.withC64();
  const source = `
* = $c000
start   sei
loop    ldx count
        inx
        stx count
        inc change+1
change  lda #0
        sta $0340
        lda table
        jmp loop
count   .byte 0
table   .byte 7
`;
  await desk.call('program_run', { source });
  await desk.call('run', { frames: 60 });
  const { ranges } = (await desk.data('coverage_read', { action: 'map', limit: 200 })) as {
    readonly ranges: readonly { readonly first: { readonly where: string } }[];
  };
  const at = (where: string) => ranges.find(({ first }) => first.where === where);
  expect(at('$C00C')).toMatchObject({ isCode: true, isWritten: true });
  expect(at('$C016')).toMatchObject({ isCode: false, isRead: true, isWritten: true });
  expect(at('$C017')).toMatchObject({ isCode: false, isRead: true, isWritten: false });
  expect(at('$0340')).toMatchObject({ isCode: false, isRead: false, isWritten: true });
  expect(await desk.call('coverage_read', { action: 'map', limit: 200 })).toMatch(/\$C017 table.*: data, read( |$)/m);
});
