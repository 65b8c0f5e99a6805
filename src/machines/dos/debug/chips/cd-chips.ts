import type { CdDrive } from '../../../../chips/cd-drive/cd-drive.ts';
import { timeOnDisc } from '../../../../chips/cd-drive/cd-time.ts';
import type { Disc } from '../../../../formats/cd/disc.ts';
import type { DosSystem } from '../../board/dos-system.ts';
import type { ChipView, View } from './chip-view.ts';

/** CD-ROM drives, if there are any. */
export function cdChips({ board, traits }: DosSystem): readonly ChipView[] {
  if (board.cds.length === 0) return [];
  const letter = (index: number) => String.fromCharCode(0x41 + (traits.cdLetters?.[index] ?? 0));
  const read = (index: number) => {
    const drive = board.cds[index];
    return drive ? board.undisturbed(() => view(drive, letter(index))) : { lines: [] };
  };
  return [
    {
      name: 'cdrom',
      description: 'CD-ROM drives',
      parts: [
        { name: 'drive', description: 'tray, head, what plays', count: board.cds.length, read },
        {
          name: 'tracks',
          description: 'the table of contents',
          count: board.cds.length,
          read: (index) => tracks(board.cds[index]?.medium, letter(index)),
        },
      ],
    },
  ];
}

function view(drive: CdDrive<Disc>, letter: string): View {
  const { first, end } = drive.range;
  const playing = drive.isPlaying ? 'playing' : drive.isPaused ? 'paused' : 'nothing';
  const numbers = {
    letter,
    disc: drive.medium !== undefined,
    tray_open: drive.isOpen,
    locked: drive.isLocked,
    playing,
    head: drive.head,
    first,
    end,
    left_volume: drive.output(0).volume,
    right_volume: drive.output(1).volume,
  };
  const range = playing === 'nothing' ? '' : ` ${time(first)} to ${time(end)}`;
  return {
    lines: [
      `${letter}: ${drive.isOpen ? 'tray open' : numbers.disc ? 'disc in' : 'empty'}${numbers.locked ? ', locked' : ''}; head at ${time(numbers.head)} (sector ${numbers.head})`,
      `sound: ${playing}${range}; volume ${numbers.left_volume} left, ${numbers.right_volume} right`,
    ],
    numbers,
  };
}

function tracks(disc: Disc | undefined, letter: string): View {
  if (!disc) return { lines: [`${letter}: no disc`], numbers: { tracks: 0 } };
  return {
    lines: [
      ...disc.tracks.map(
        ({ number, kind, start }) => `track ${number}: ${kind}, from ${time(start)} (sector ${start})`,
      ),
      `lead-out at ${time(disc.leadOut)} (sector ${disc.leadOut})`,
    ],
    numbers: { tracks: disc.tracks.length, starts: disc.tracks.map(({ start }) => start), lead_out: disc.leadOut },
  };
}

/** As players show it: minutes, seconds, frames. */
function time(sector: number): string {
  const { minute, second, frame } = timeOnDisc(sector);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(minute)}:${two(second)}:${two(frame)}`;
}
