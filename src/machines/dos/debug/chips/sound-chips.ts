import { PIT_HZ } from '../../../../chips/i8254/i8254.ts';
import { packedBits } from '../../../../chips/sound-blaster/adpcm.ts';
import { fields as blasterFields, playingModes } from '../../../../chips/sound-blaster/fields.ts';
import { hex } from '../../../../formats/hex.ts';
import type { DosSystem } from '../../board/dos-system.ts';
import { hasBlaster } from '../../board/sound-cards.ts';
import type { InputEvent } from '../../machine/input-event.ts';
import { type ChipView, numberedIn, numberIn, onOff, type View, type Wanted } from './chip-view.ts';

const [mixerIndex, mixerData, dspCommand] = [0x224, 0x225, 0x22c];
const [oplIndex, oplData] = [0x388, 0x389];
const speakerPort = 0x61;
const channels = 9;
const mixerNames: Readonly<Record<number, string>> = {
  2: 'master',
  4: 'voice',
  6: 'FM',
  8: 'CD',
  10: 'microphone',
  34: 'master',
  38: 'FM',
  40: 'CD',
  46: 'line',
};
const waves = [
  ...['sine', 'half sine', 'absolute sine', 'quarter sine'],
  ...['double sine', 'absolute double sine', 'square', 'sawtooth'],
] as const;
/** Offsets of the first operator's registers; the second one's are three further on. */
const operatorOffsets = [0, 1, 2, 8, 9, 10, 16, 17, 18] as const;
const oplHz = 49_716;

/** Sound Blaster, OPL, loudspeaker. */
export function soundChips(system: DosSystem): readonly ChipView[] {
  const { sound } = system.board;
  const all: readonly ChipView[] = [
    {
      name: 'sound_blaster',
      description: 'DSP and mixer at 220h',
      parts: [
        {
          name: 'registers',
          description: 'what the DSP does',
          writable: ['speaker'],
          read: () => dsp(system),
          write: (_, wanted) => setSpeaker(wanted),
        },
        {
          name: 'mixer',
          description: 'the mixer’s registers by number',
          writable: ['0x0'],
          read: () => mixer(system),
          write: (_, wanted) => indexed(wanted, mixerIndex, mixerData),
        },
      ],
    },
    {
      name: 'opl',
      description: 'FM synthesis at 388h',
      parts: [
        {
          name: 'registers',
          description: 'all of them by number, as they were last written',
          writable: ['0x0'],
          read: () => opl(system),
          write: (_, wanted) => indexed(wanted, oplIndex, oplData, system.board.opl.isOpl3 ? 0x1ff : 0xff),
        },
        {
          name: 'channel',
          description: 'one voice, decoded',
          count: system.board.opl.isOpl3 ? channels * 2 : channels,
          read: (index) => channel(system, index),
        },
      ],
    },
    {
      name: 'speaker',
      description: 'loudspeaker at counter 2 of the timer',
      parts: [
        {
          name: 'registers',
          description: 'port 61h',
          writable: ['gate', 'output'],
          read: () => speaker(system),
          write: (_, wanted) => setLoudspeaker(system, wanted),
        },
      ],
    },
    {
      name: 'tandy',
      description: 'SN76496 at C0h',
      parts: [{ name: 'registers', description: 'three tones and noise', read: () => tandy(system) }],
    },
    {
      name: 'synth',
      description: 'General MIDI, as sent through the MPU-401',
      parts: [{ name: 'notes', description: 'what sounds now', read: () => notes(system) }],
    },
  ];
  const absent = new Set([
    ...(hasBlaster(sound) ? [] : ['sound_blaster']),
    ...(sound === 'none' || sound === 'tandy' ? ['opl'] : []),
    ...(sound === 'tandy' ? [] : ['tandy']),
  ]);
  return all.filter(({ name }) => !absent.has(name));
}

function tandy({ board: { tandy: chip } }: DosSystem): View {
  const voices = [0, 1, 2].map((tone) => ({ hertz: chip.hertz(tone), volume: chip.peek(tone * 2 + 1) }));
  const [control, volume] = [chip.peek(6), chip.peek(7)];
  const loud = (attenuation: number) => (attenuation === 15 ? 'silent' : `-${attenuation * 2} dB`);
  return {
    lines: [
      ...voices.map(({ hertz, volume: own }, tone) => `tone ${tone}: ${hertz.toFixed(1)} Hz, ${loud(own)}`),
      `noise: ${(control & 4) !== 0 ? 'white' : 'periodic'}, rate ${control & 3}, ${loud(volume)}`,
    ],
    numbers: { registers: Array.from({ length: 8 }, (_, register) => chip.peek(register)) },
  };
}

function notes({ board: { synth } }: DosSystem): View {
  const all = synth.notes();
  return {
    lines:
      all.length === 0
        ? ['no note']
        : all.map(({ channel: on, note, program }) => `channel ${on + 1}: note ${note}, program ${program + 1}`),
    numbers: { notes: all.length },
  };
}

function dsp(system: DosSystem): View {
  const { sb } = system.board.parts;
  const word = (field: keyof typeof blasterFields) => sb[blasterFields[field]] ?? 0;
  // While it plays fast the DSP answers nobody.
  const [major, minor] = system.board.blaster.version;
  const speaker = word('speaker') !== 0;
  const playing = Object.entries(playingModes).find(([, mode]) => mode === word('playing'))?.[0] ?? 'nothing';
  const { blaster } = system.board;
  const hertz = Math.round(blaster.sampleHz);
  const { irqLine: irq, dma8: dma, dma16 } = blaster.mixer;
  const { playing: _, ...state } = {
    playing,
    paused: word('paused') !== 0,
    recording: word('recording') !== 0,
    interrupt: word('irq') !== 0 || word('irq16') !== 0,
    sample_hz: hertz,
    block_bytes: word('blockBytes'),
    bytes_left: word('bytesLeft'),
    adpcm_bits: packedBits(word('format')),
    bits: word('wide') !== 0 ? 16 : 8,
    stereo: word('stereo') !== 0,
  };
  const size = state.adpcm_bits === 0 ? `${state.bits} bits` : `ADPCM of ${state.adpcm_bits} bits`;
  const what =
    playing === 'nothing' ? 'plays nothing' : `plays ${playing}, ${state.bytes_left} bytes left of its block`;
  return {
    lines: [
      `DSP ${major}.${String(minor).padStart(2, '0')} at 220h, IRQ ${irq}, DMA ${dma}${blaster.model === 'sb16' ? ` and ${dma16}` : ''}; speaker ${onOff(speaker)}`,
      `${what}${state.paused ? ', paused' : ''}${state.recording ? ', recording' : ''}; ${hertz} Hz, ${size}${state.stereo ? ' stereo' : ''}, blocks of ${state.block_bytes} bytes, interrupt ${state.interrupt ? 'waits' : 'none'}`,
    ],
    numbers: { version_major: major, version_minor: minor, base: 0x220, irq, dma, dma16, speaker, playing, ...state },
  };
}

function mixer({ board }: DosSystem): View {
  const registers = board.undisturbed(() =>
    Array.from({ length: 0x84 }, (_, register) => {
      board.ports.write8(mixerIndex, register);
      return board.ports.read8(mixerData);
    }),
  );
  const used = registers.flatMap((value, register) =>
    value === 0 && mixerNames[register] === undefined ? [] : [{ register, value }],
  );
  return {
    lines: used.map(({ register, value }) =>
      `${hex(register, 2)}h ${hex(value, 2)}h ${mixerNames[register] ?? ''}`.trimEnd(),
    ),
    numbers: Object.fromEntries(used.map(({ register, value }) => [`0x${register.toString(16)}`, value])),
  };
}

function opl({ board }: DosSystem): View {
  const sets = board.opl.isOpl3 ? 2 : 1;
  const registers = Array.from({ length: 0x100 * sets }, (_, register) => board.opl.peek(register));
  const rows = Array.from({ length: 16 * sets }, (_, row) => registers.slice(row * 16, row * 16 + 16));
  const keyed = Array.from({ length: channels * sets }, (_, index) => index).filter((index) =>
    isKeyed(registers[(index >= channels ? 0x1b0 - channels : 0xb0) + index] ?? 0),
  );
  const rhythm = ((registers[0xbd] ?? 0) & 0x20) !== 0;
  return {
    lines: [
      `voices that sound: ${keyed.join(' ') || 'none'}; rhythm ${onOff(rhythm)}`,
      ...rows.flatMap((row, index) =>
        row.every((value) => value === 0)
          ? []
          : [`${hex(index * 16, sets === 2 ? 3 : 2)}: ${row.map((value) => hex(value, 2)).join(' ')}`],
      ),
    ],
    numbers: { registers, sounding: keyed, rhythm, opl3: board.opl.isOpl3 },
  };
}

const isKeyed = (value: number) => (value & 0x20) !== 0;

function channel({ board: { opl } }: DosSystem, voice: number): View {
  const index = voice % channels;
  const set = voice >= channels ? 0x100 : 0;
  const chip = { peek: (register: number) => opl.peek(set + register) };
  const high = chip.peek(0xb0 + index);
  const number = chip.peek(0xa0 + index) | ((high & 3) << 8);
  const block = (high >> 2) & 7;
  const hertz = (number * oplHz) / 2 ** (20 - block);
  const control = chip.peek(0xc0 + index);
  const [feedback, added] = [(control >> 1) & 7, (control & 1) !== 0];
  const first = operatorOffsets[index] ?? 0;
  const operators = [first, first + 3].map((offset) => operator(chip, offset));
  return {
    lines: [
      `voice ${voice}: ${isKeyed(high) ? 'key down' : 'key up'}, ${hertz.toFixed(1)} Hz (number ${number}, block ${block}), feedback ${feedback}, ${added ? 'both heard' : 'first bends second'}`,
      ...operators.map(({ line }, place) => `  operator ${place}: ${line}`),
    ],
    numbers: {
      key: isKeyed(high),
      hertz,
      number,
      block,
      feedback,
      added,
      operator0: operators[0]?.numbers ?? {},
      operator1: operators[1]?.numbers ?? {},
    },
  };
}

function operator(chip: { peek(register: number): number }, offset: number) {
  const [flags, level] = [chip.peek(0x20 + offset), chip.peek(0x40 + offset)];
  const [rise, fall, wave] = [chip.peek(0x60 + offset), chip.peek(0x80 + offset), chip.peek(0xe0 + offset) & 7];
  const numbers = {
    multiplier: flags & 15,
    sustained: (flags & 0x20) !== 0,
    vibrato: (flags & 0x40) !== 0,
    tremolo: (flags & 0x80) !== 0,
    attenuation_db: (level & 63) * 0.75,
    attack: rise >> 4,
    decay: rise & 15,
    sustain: fall >> 4,
    release: fall & 15,
    waveform: waves[wave] ?? '',
  };
  const { multiplier, attenuation_db: quiet, attack, decay, sustain, release, waveform } = numbers;
  return {
    numbers,
    line: `x${multiplier}, -${quiet} dB, attack ${attack} decay ${decay} sustain ${sustain} release ${release}, ${waveform}`,
  };
}

function speaker({ board }: DosSystem): View {
  const port = board.peekPort(speakerPort);
  const reload = board.pit.reload(2);
  const hertz = reload === 0 ? 0 : PIT_HZ / reload;
  const [gate, output] = [(port & 1) !== 0, (port & 2) !== 0];
  return {
    lines: [
      `gate ${onOff(gate)}, output ${onOff(output)}, counter 2 at ${hertz.toFixed(1)} Hz: ${gate && output ? 'sounds' : 'silent'}`,
    ],
    numbers: { gate, output, hertz, port },
  };
}

function setSpeaker(wanted: Wanted): readonly InputEvent[] {
  const on = numberIn(wanted, 'speaker', 1);
  return on === undefined ? [] : [{ type: 'out', port: dspCommand, value: on ? 0xd1 : 0xd3 }];
}

function setLoudspeaker({ board }: DosSystem, wanted: Wanted): readonly InputEvent[] {
  const now = board.peekPort(speakerPort) & 0x0f;
  const gate = numberIn(wanted, 'gate', 1) ?? now & 1;
  const output = numberIn(wanted, 'output', 1) ?? (now >> 1) & 1;
  return [{ type: 'out', port: speakerPort, value: (now & 0x0c) | (output << 1) | gate }];
}

function indexed(wanted: Wanted, index: number, data: number, most = 0xff): readonly InputEvent[] {
  return numberedIn(wanted, most).flatMap(([register, value]): InputEvent[] => {
    // The second set of an OPL3 has the next two ports.
    const set = register > 0xff ? 2 : 0;
    return [
      { type: 'out', port: index + set, value: register & 0xff },
      { type: 'out', port: data + set, value },
    ];
  });
}
