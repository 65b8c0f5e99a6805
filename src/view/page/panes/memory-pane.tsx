import { useRef, useState } from 'preact/hooks';
import { input, watchedHandle } from '../store.ts';
import { moment, useReads } from './moment.ts';
import { fieldOf, numberOf, plain, textOf } from './outcome.ts';

const rowBytes = 8;
const shownBytes = 256;
/** A byte that was written is lit for so many looks. */
const litLooks = 4;

interface Memory {
  key: string;
  bytes: Uint8Array;
  /** Looks since each byte has changed. */
  age: Uint8Array;
}

/** Where it was looked last, of each machine. */
const places = new Map<string, string>();

/** Memory as bytes and as characters; what was written lately is lit. */
export function MemoryPane() {
  const machine = watchedHandle.value ?? '';
  const [address, setAddress] = useState(places.get(machine) ?? '$0400');
  const goTo = (place: string) => {
    places.set(machine, place);
    setAddress(place);
  };
  const [typed, setTyped] = useState('');
  const [wantsScreenCodes, setScreenCodes] = useState(false);
  // Commodores have that key and no others do.
  const hasScreenCodes = input.value.keys?.names.includes('cbm') === true;
  const isScreenCode = hasScreenCodes && wantsScreenCodes;
  const last = useRef<Memory>({ key: '', bytes: new Uint8Array(), age: new Uint8Array() });
  const [read] = useReads('memory', [
    { tool: 'memory_read', arguments: { address, length: shownBytes, format: 'json' } },
  ]);
  const first = numberOf(fieldOf(read, 'address'));
  const bytes = bytesOf(plain(fieldOf(read, 'bytes')));
  const key = `${address} ${moment.value?.look}`;
  if (key !== last.current.key && bytes.length > 0) last.current = aged(last.current, address, key, bytes);
  const { age } = last.current;
  const go = (by: number) => {
    if (first !== undefined) goTo(`0x${(first + BigInt(by) < 0n ? 0n : first + BigInt(by)).toString(16)}`);
  };
  return (
    <>
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed !== '') goTo(typed);
        }}
      >
        <input
          aria-label="Address"
          placeholder={address}
          value={typed}
          spellcheck={false}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <button type="submit">Go</button>
        <button type="button" aria-label="Back" onClick={() => go(-shownBytes)}>
          ‹
        </button>
        <button type="button" aria-label="Forward" onClick={() => go(shownBytes)}>
          ›
        </button>
        {hasScreenCodes && (
          <label>
            <input
              type="checkbox"
              checked={isScreenCode}
              onChange={(event) => setScreenCodes(event.currentTarget.checked)}
            />{' '}
            screen codes
          </label>
        )}
      </form>
      {bytes.length === 0 && <p class="quiet">{read ? textOf(read) : '…'}</p>}
      <div class="bytes mono">
        {Array.from({ length: Math.ceil(bytes.length / rowBytes) }, (_, row) => {
          const start = row * rowBytes;
          const part = bytes.subarray(start, start + rowBytes);
          return (
            <div key={start}>
              <b>{((first ?? 0n) + BigInt(start)).toString(16).toUpperCase().padStart(4, '0')}</b>
              {[...part].map((byte, column) => (
                <span key={column} class={(age[start + column] ?? litLooks) < litLooks ? 'lit' : ''}>
                  {byte.toString(16).toUpperCase().padStart(2, '0')}
                </span>
              ))}
              <code>{[...part].map((byte) => characterOf(byte, isScreenCode)).join('')}</code>
            </div>
          );
        })}
      </div>
    </>
  );
}

function aged(before: Memory, address: string, key: string, bytes: Uint8Array): Memory {
  const isSamePlace = before.key.startsWith(`${address} `) && before.bytes.length === bytes.length;
  const age = bytes.map((byte, index) => {
    if (!isSamePlace) return litLooks;
    return byte === before.bytes[index] ? Math.min(litLooks, (before.age[index] ?? litLooks) + 1) : 0;
  });
  return { key, bytes, age };
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length >> 1 }, (_, index) =>
    Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
  );
}

/** As ASCII has it, or as the screens of Commodores do. */
function characterOf(byte: number, isScreenCode: boolean): string {
  const code = isScreenCode ? ((byte & 0x7f) < 0x20 ? (byte & 0x7f) + 0x40 : byte & 0x7f) : byte;
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '·';
}
