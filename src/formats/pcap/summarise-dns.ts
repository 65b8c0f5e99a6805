import type { PacketBytes } from './packet-bytes.ts';

const types: Readonly<Record<number, string>> = {
  1: 'A',
  2: 'NS',
  5: 'CNAME',
  6: 'SOA',
  12: 'PTR',
  15: 'MX',
  16: 'TXT',
  28: 'AAAA',
  33: 'SRV',
  41: 'OPT',
  43: 'DS',
  46: 'RRSIG',
  48: 'DNSKEY',
  64: 'SVCB',
  65: 'HTTPS',
  255: 'ANY',
};
const failures: Readonly<Record<number, string>> = {
  1: 'format error',
  2: 'server failure',
  3: 'no such name',
  4: 'not implemented',
  5: 'refused',
};
const responseBit = 0x8000;
const pointerBits = 0xc0;
/** A name has at most so many parts; one that points at itself has more. */
const maxLabels = 128;
/** RFC 1035, 2.3.4. */
const maxNameBytes = 255;
const maxShown = 4;

export function summariseDns(dns: PacketBytes): string {
  const flags = dns.word(2);
  const questions = dns.word(4);
  const answers = dns.word(6);
  let at = 12;
  const asked: string[] = [];
  for (let count = 0; count < Math.min(questions, maxShown); count++) {
    const name = readName(dns, at);
    asked.push(`${typeName(dns.word(name.end))} ${name.text}`);
    at = name.end + 4;
  }
  const question = asked.join(', ') || 'nothing asked';
  if ((flags & responseBit) === 0) return `DNS ${dns.word(0)} query ${question}`;
  const failure = flags & 0x0f;
  if (failure !== 0) return `DNS ${dns.word(0)} answer ${question}: ${failures[failure] ?? `code ${failure}`}`;
  const found: string[] = [];
  for (let count = 0; count < Math.min(answers, maxShown); count++) {
    const record = readRecord(dns, at);
    found.push(record.text);
    at = record.end;
  }
  const more = answers > maxShown ? `, ${answers - maxShown} more` : '';
  return `DNS ${dns.word(0)} answer ${question}: ${found.join(', ') || 'none'}${more}`;
}

function readRecord(dns: PacketBytes, start: number): { readonly text: string; readonly end: number } {
  const { text: name, end: at } = readName(dns, start);
  const type = dns.word(at);
  const dataAt = at + 10;
  const end = dataAt + dns.word(at + 8);
  if (type === 1) return { text: `A ${dns.ipv4(dataAt)}`, end };
  if (type === 28) return { text: `AAAA ${dns.ipv6(dataAt)}`, end };
  if (type === 2 || type === 5 || type === 12) return { text: `${typeName(type)} ${readName(dns, dataAt).text}`, end };
  return { text: `${typeName(type)} of ${name}`, end };
}

function readName(dns: PacketBytes, start: number): { readonly text: string; readonly end: number } {
  const labels: string[] = [];
  let at = start;
  let end: number | undefined;
  let bytes = 0;
  for (let count = 0; count < maxLabels; count++) {
    const length = dns.byte(at);
    if ((length & pointerBits) === pointerBits) {
      end ??= at + 2;
      at = dns.word(at) & 0x3fff;
    } else if (length === 0) {
      return { text: labels.join('.') || '.', end: end ?? at + 1 };
    } else {
      bytes += 1 + length;
      if (bytes > maxNameBytes) throw new RangeError('a name too long for one');
      labels.push(dns.text(at + 1, length));
      at += 1 + length;
    }
  }
  throw new RangeError('a name without an end');
}

function typeName(type: number): string {
  return types[type] ?? `type ${type}`;
}
