/** Where a track of a CUE sheet lies in its file. Positions count sectors (frames of 1/75 second). */
export interface CueTrack {
  readonly number: number;
  readonly kind: 'audio' | 'data';
  readonly sectorBytes: number;
  /** Where the 2,048 bytes of a data sector begin in it. */
  readonly dataOffset: number;
  readonly file: number;
  /** INDEX 00, where there is one, and INDEX 01, from the start of the file. */
  readonly gap: number | undefined;
  readonly start: number;
  /** Silence before it that is in no file. */
  readonly pregap: number;
  readonly postgap: number;
}

export interface CueFile {
  readonly name: string;
  readonly type: 'binary' | 'motorola' | 'wave';
}

export interface CueSheet {
  readonly files: readonly CueFile[];
  readonly tracks: readonly CueTrack[];
  /** 13 digits of the CATALOG line. */
  readonly catalog: string | undefined;
}

/** What is wrong with an image, for people. */
export class CdImageError extends Error {
  override readonly name = 'CdImageError';
}

const longestSheet = 65_536;
const mostTracks = 99;
const modes: Readonly<Record<string, Pick<CueTrack, 'kind' | 'sectorBytes' | 'dataOffset'>>> = {
  AUDIO: { kind: 'audio', sectorBytes: 2352, dataOffset: 0 },
  'MODE1/2048': { kind: 'data', sectorBytes: 2048, dataOffset: 0 },
  'MODE1/2352': { kind: 'data', sectorBytes: 2352, dataOffset: 16 },
  'MODE2/2048': { kind: 'data', sectorBytes: 2048, dataOffset: 0 },
  'MODE2/2336': { kind: 'data', sectorBytes: 2336, dataOffset: 8 },
  'MODE2/2352': { kind: 'data', sectorBytes: 2352, dataOffset: 24 },
};
const fileTypes: Readonly<Record<string, CueFile['type']>> = { BINARY: 'binary', MOTOROLA: 'motorola', WAVE: 'wave' };

type Draft = { -readonly [Key in keyof CueTrack]: CueTrack[Key] } & { hasStart: boolean };

/** Reads a CUE sheet; what it does not know but is known to be harmless (REM, TITLE, FLAGS …) is passed over. */
export function parseCueSheet(text: string): CueSheet {
  if (text.length > longestSheet) throw new CdImageError(`a CUE sheet has at most ${longestSheet} characters`);
  const files: CueFile[] = [];
  const tracks: Draft[] = [];
  let catalog: string | undefined;
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const line = raw.replace(/^\uFEFF/, '').trim();
    const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '');
    const [command = '', first = '', second = ''] = words;
    const wrong = (why: string) => new CdImageError(`line ${index + 1} of the CUE sheet: ${why}`);
    const track = tracks.at(-1);
    switch (command.toUpperCase()) {
      case 'FILE': {
        const type = fileTypes[second.toUpperCase()];
        if (!type) throw wrong(`files of type ${second || '(none)'} cannot be read; BINARY, MOTOROLA and WAVE can`);
        if (files.length >= mostTracks) throw wrong('too many files');
        files.push({ name: first, type });
        break;
      }
      case 'TRACK': {
        const mode = modes[second.toUpperCase()];
        const number = Number(first);
        if (!mode) throw wrong(`tracks of mode ${second || '(none)'} cannot be read`);
        if (files.length === 0) throw wrong('a track before its FILE');
        if (!Number.isInteger(number) || number !== (track?.number ?? number - 1) + 1 || number < 1 || number > 99)
          throw wrong(`track ${first} is out of order`);
        tracks.push({
          number,
          ...mode,
          file: files.length - 1,
          gap: undefined,
          start: 0,
          pregap: 0,
          postgap: 0,
          hasStart: false,
        });
        break;
      }
      case 'INDEX': {
        const frames = framesOf(second);
        if (!track || frames === undefined) throw wrong(`INDEX ${first} ${second} cannot be read`);
        if (Number(first) === 0) track.gap = frames;
        else if (Number(first) === 1) {
          track.start = frames;
          track.hasStart = true;
        }
        break;
      }
      case 'PREGAP':
      case 'POSTGAP': {
        const frames = framesOf(first);
        if (!track || frames === undefined) throw wrong(`${command} ${first} cannot be read`);
        if (command.toUpperCase() === 'PREGAP') track.pregap = frames;
        else track.postgap = frames;
        break;
      }
      case 'CATALOG':
        catalog = /^\d{13}$/.test(first) ? first : undefined;
    }
  }
  if (tracks.length === 0) throw new CdImageError('the CUE sheet has no track');
  const lost = tracks.find(({ hasStart }) => !hasStart);
  if (lost) throw new CdImageError(`track ${lost.number} has no INDEX 01`);
  return { files, tracks: tracks.map(({ hasStart: _, ...track }) => track), catalog };
}

/** `mm:ss:ff` as frames. */
function framesOf(text: string): number | undefined {
  const [, minutes = '', seconds = '', frames = ''] = /^(\d{1,3}):(\d{1,2}):(\d{1,2})$/.exec(text) ?? [];
  if (minutes === '' || Number(seconds) >= 60 || Number(frames) >= 75) return undefined;
  return (Number(minutes) * 60 + Number(seconds)) * 75 + Number(frames);
}
