/** A call of the tour, and what a person is told before it. */
export interface TourCall {
  readonly comment: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface TourStop {
  readonly title: string;
  readonly machine: string;
  /** Said where the machine cannot be started. */
  readonly missing?: string;
  readonly calls: readonly TourCall[];
}

const split = `
* = $c000
        sei
wait    lda $d012
        cmp #100
        bne wait
        lda #2
        sta $d020
        sta $d021
later   lda $d012
        cmp #180
        bne later
        lda #6
        sta $d020
        sta $d021
        jmp wait
`;

const counter = `
        mov cx, 5
again:  mov ah, 2
        mov dl, '*'
        int 21h
        loop again
        mov ax, 4c00h
        int 21h
`;

const start = (kind: string, options: Readonly<Record<string, unknown>> = {}) => ({
  tool: 'machine_start',
  arguments: { kind, name: `tour-${kind}`, options },
});

/** Five machines, each with something that only it shows. */
export const tourStops: readonly TourStop[] = [
  {
    title: 'A Commodore 64, exact to the cycle',
    machine: 'tour-c64',
    calls: [
      { comment: 'It boots with ROMs of our own; with --roms it uses yours.', ...start('c64') },
      {
        comment: 'A program that changes the colours at raster lines 100 and 180, as assembler text.',
        tool: 'program_run',
        arguments: { source: split, frames: 2 },
      },
      {
        comment: 'Run until a condition holds: here until line 101, just after the border has turned red.',
        tool: 'run',
        arguments: { condition: 'raster_line == 101', frames: 2, show: 'state' },
      },
      {
        comment: 'And back in time, one frame; the machine remembers its past.',
        tool: 'run',
        arguments: { back: true, frames: 1 },
      },
    ],
  },
  {
    title: 'A VIC-20',
    machine: 'tour-vic20',
    calls: [
      { comment: 'Every machine takes the same tools.', ...start('vic20') },
      {
        comment: 'Type on its keyboard and look at the screen in one call.',
        tool: 'input_send',
        arguments: { text: 'print 6*7\n', show: 'screen' },
      },
    ],
  },
  {
    title: 'A Plus/4',
    machine: 'tour-plus4',
    calls: [
      { comment: 'TED in place of VIC-II and SID.', ...start('plus4') },
      { comment: 'Its chip, decoded.', tool: 'chip_read', arguments: { chip: 'ted' } },
    ],
  },
  {
    title: 'A DOS PC',
    machine: 'tour-dos',
    calls: [
      { comment: 'Processor, VGA, sound and DOS are built in.', ...start('dos') },
      {
        comment: 'A program that prints five stars, assembled and run.',
        tool: 'program_run',
        arguments: { source: counter, frames: 10, show: 'screen' },
      },
      { comment: 'What ran is a graph of its instructions by now.', tool: 'graph_read', arguments: {} },
    ],
  },
  {
    title: 'A PC under QEMU',
    machine: 'tour-qemu',
    missing: 'QEMU is another program: install qemu-system-x86 (or another system) and run this again.',
    calls: [
      { comment: 'Real operating systems and firmware, through the same tools.', ...start('qemu') },
      {
        comment: 'There is no disk in it: its firmware says so.',
        tool: 'run',
        arguments: { screen_text: '/SeaBIOS|iPXE|oot/', timeout_ms: 30_000, show: 'screen' },
      },
    ],
  },
];
