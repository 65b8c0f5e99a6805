import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { PcapFile } from './pcap-file.ts';
import { summarisePacket } from './summarise-packet.ts';

const folder = mkdtempSync(join(tmpdir(), 'fp-pcap-'));
afterAll(() => rmSync(folder, { recursive: true }));

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex.replaceAll(/\s/g, ''), 'hex'));
const ethernet = (type: string) => `52550a000202 525400123456 ${type}`;
const ipv4 = (protocol: string, body: string, flags = '0000') => {
  const length = (20 + bytes(body).length).toString(16).padStart(4, '0');
  return `${ethernet('0800')} 4500${length}0001${flags}40${protocol}0000 0a00020f 0a000202 ${body}`;
};
const ipv6 = (next: string, body: string) => {
  const length = bytes(body).length.toString(16).padStart(4, '0');
  return `${ethernet('86dd')} 60000000${length}${next}ff fe800000000000000000000000000001 ff0200000000000000000000000000fb ${body}`;
};
const udp = (from: string, to: string, body: string) =>
  `${from}${to}${(8 + bytes(body).length).toString(16).padStart(4, '0')}0000${body}`;
const name = '03 777777 07 6578616d706c65 03 636f6d 00';
const dhcp = (kind: string, options = '') =>
  `0101060012345678 00000000 00000000 00000000 00000000 00000000 525400123456 ${'00'.repeat(202)} 63825363 3501${kind} ${options} ff`;

test.for([
  [
    `${ethernet('0806')} 0001080006040001 525400123456 0a00020f 000000000000 0a000202`,
    'ARP who has 10.0.2.2, tell 10.0.2.15',
  ],
  [
    `${ethernet('0806')} 0001080006040002 525400123456 0a00020f 52550a000202 0a000202`,
    'ARP reply 10.0.2.15 is at 52:54:00:12:34:56',
  ],
  [ipv4('01', '08000000 0007 0003'), '10.0.2.15 > 10.0.2.2 ICMP echo request, id 7, seq 3'],
  [ipv4('01', '03030000 00000000'), '10.0.2.15 > 10.0.2.2 ICMP port unreachable'],
  [ipv4('01', '03040000 00000000'), '10.0.2.15 > 10.0.2.2 ICMP unreachable without fragments'],
  [ipv6('3a', '01030000 00000000'), 'fe80::1 > ff02::fb ICMPv6 address unreachable'],
  [
    ipv4('06', 'c3500050 00000001 00000002 5012 ffff 0000 0000 6869'),
    '10.0.2.15:50000 > 10.0.2.2:80 TCP SYN,ACK, seq 1, ack 2, win 65535, data 2',
  ],
  [
    ipv4('06', 'c3500050 00000009 00000000 5004 0000 0000 0000'),
    '10.0.2.15:50000 > 10.0.2.2:80 TCP RST, seq 9, win 0, data 0',
  ],
  [ipv4('11', udp('1000', '2000', 'aabbcc')), '10.0.2.15:4096 > 10.0.2.2:8192 UDP data 3'],
  [ipv4('11', udp('1000', '0045', 'aabbcc')), '10.0.2.15:4096 > 10.0.2.2:69 UDP TFTP, data 3'],
  [
    ipv4('11', udp('1000', '0035', `002a0100 0001000000000000 ${name} 00010001`)),
    '10.0.2.15:4096 > 10.0.2.2:53 UDP DNS 42 query A www.example.com',
  ],
  [
    ipv4(
      '11',
      udp(
        '0035',
        '1000',
        `002a8180 0001000200000000 ${name} 00010001 c00c00050001000000ff0002c010 c00c00010001000000ff00045db8d822`,
      ),
    ),
    '10.0.2.15:53 > 10.0.2.2:4096 UDP DNS 42 answer A www.example.com: CNAME example.com, A 93.184.216.34',
  ],
  [
    ipv4('11', udp('0035', '1000', `002a8183 0001000000000000 ${name} 001c0001`)),
    '10.0.2.15:53 > 10.0.2.2:4096 UDP DNS 42 answer AAAA www.example.com: no such name',
  ],
  [
    ipv4('11', udp('0035', '1000', '002a0100 0001000000000000 041b5b306d 00 00010001')),
    '10.0.2.15:53 > 10.0.2.2:4096 UDP DNS 42 query A \\x1b[0m',
  ],
  [
    ipv4('11', udp('0044', '0043', dhcp('01', '0c0268 69'))),
    '10.0.2.15:68 > 10.0.2.2:67 UDP DHCP discover for 52:54:00:12:34:56, name hi',
  ],
  [
    ipv4('11', udp('0044', '0043', dhcp('03', '32040a00020f 36040a000202'))),
    '10.0.2.15:68 > 10.0.2.2:67 UDP DHCP request for 52:54:00:12:34:56, wants 10.0.2.15, server 10.0.2.2',
  ],
  [ipv4('11', '0000', '00b9'), '10.0.2.15 > 10.0.2.2 fragment at 1480, the last'],
  [ipv4('59', '00'), '10.0.2.15 > 10.0.2.2 OSPF'],
  [
    ipv6('3a', '87000000 00000000 fe800000000000000000000000000002'),
    'fe80::1 > ff02::fb ICMPv6 neighbour solicitation, who has fe80::2',
  ],
  [
    ipv6('11', udp('14e9', '14e9', `00000000 0001000000000000 ${name} 000c0001`)),
    '[fe80::1]:5353 > [ff02::fb]:5353 UDP DNS 0 query PTR www.example.com',
  ],
  [ipv6('00', '3a00050200000100 8f00000000000000'), 'fe80::1 > ff02::fb ICMPv6 listener report v2'],
  [
    `${ethernet('8100')} 0005 0806 0001080006040001 525400123456 0a00020f 000000000000 0a00020f`,
    'VLAN 5 ARP announce 10.0.2.15',
  ],
  [`${ethernet('0026')} 4242`, '52:54:00:12:34:56 > 52:55:0a:00:02:02 802.3'],
  [`${ethernet('88cc')} 00`, '52:54:00:12:34:56 > 52:55:0a:00:02:02 type 0x88cc'],
  ['5255', 'a frame that is cut off'],
  [
    `${ethernet('88a8')} 0064 8100 0005 0806 0001080006040001 525400123456 0a00020f 000000000000 0a000202`,
    'VLAN 100 VLAN 5 ARP who has 10.0.2.2, tell 10.0.2.15',
  ],
  // What a guest may send that no card would.
  [ipv4('06', 'c3500050 00000001 00000002 0012'), '10.0.2.15 > 10.0.2.2 TCP, which is cut off'],
  [
    ipv4('06', 'c3500050 00000001 00000002 f012 ffff 0000 0000'),
    '10.0.2.15:50000 > 10.0.2.2:80 TCP SYN,ACK, seq 1, ack 2, win 65535, a header of 60 bytes in 20',
  ],
  [ipv4('11', '1000 0035 0004 0000'), '10.0.2.15:4096 > 10.0.2.2:53 UDP which says that it has 4 bytes'],
  [ipv4('11', '1000'), '10.0.2.15 > 10.0.2.2 UDP, which is cut off'],
  [
    `${ethernet('0800')} 4200001400000000400600000a00020f0a000202`,
    '10.0.2.15 > 10.0.2.2 IPv4 with a header of 8 bytes in 20',
  ],
  [`${ethernet('0800')} 4500001400000000`, 'a frame that is cut off'],
])('%s', ([hex = '', line = '']) => {
  const frame = bytes(hex);
  expect(summarisePacket(frame, frame.length)).toBe(`${line}, ${frame.length} bytes`);
});

test('what was not kept counts as well', () => {
  const frame = bytes(ipv4('06', `c3500050 00000001 00000002 5018 ffff 0000 0000 ${'41'.repeat(100)}`));
  expect(summarisePacket(frame.subarray(0, 60), frame.length)).toBe(
    '10.0.2.15:50000 > 10.0.2.2:80 TCP PSH,ACK, seq 1, ack 2, win 65535, data 100, 154 bytes, 60 kept',
  );
});

test('no packet fills a page', () => {
  const longNames = `002a8180 0004000000000000 ${`${`3f${'1b'.repeat(63)}`.repeat(100)} 00 00010001`.repeat(4)}`;
  const vlans = `52550a000202 525400123456 ${'81000005'.repeat(10_000)}`;
  for (const hex of [ipv4('11', udp('0035', '1000', longNames)), vlans]) {
    expect(summarisePacket(bytes(hex), bytes(hex).length).length).toBeLessThan(1000);
  }
});

test('a name that points at itself does not hold anybody up', () => {
  const frame = bytes(ipv4('11', udp('0035', '1000', '002a0100 0001000000000000 c00c 00010001')));
  expect(summarisePacket(frame, 2000)).toMatch(/UDP data 18, which is cut off, 2000 bytes, \d+ kept$/);
});

test('anything at all is one plain line', () => {
  const types = fc.constantFrom('0800', '0806', '86dd', '8100');
  fc.assert(
    fc.property(types, fc.uint8Array({ maxLength: 200 }), (type, body) => {
      const frame = Buffer.concat([bytes(ethernet(type)), body]);
      expect(summarisePacket(frame, frame.length)).toMatch(/^[\x20-\x7e]+$/);
    }),
  );
});

function pcap(
  packets: readonly (readonly [second: number, fraction: number, body: string])[],
  little: boolean,
): Buffer {
  const word = (value: number) => {
    const buffer = Buffer.alloc(4);
    if (little) buffer.writeUInt32LE(value);
    else buffer.writeUInt32BE(value);
    return buffer;
  };
  const header = [0xa1b2c3d4, little ? 0x00040002 : 0x00020004, 0, 0, 65_536, 1].map(word);
  const records = packets.flatMap(([second, fraction, body]) => [
    ...[second, fraction, body.length, body.length + 1].map(word),
    Buffer.from(body),
  ]);
  return Buffer.concat([...header, ...records]);
}

test.for([true, false])('a file is read while it grows, and stamped anew (little endian: %s)', async (little) => {
  const path = join(folder, `${little}.pcap`);
  const whole = pcap(
    [
      [10, 500_000, 'first'],
      [11, 999_999, 'second'],
      [12, 0, 'x'.repeat(1000)],
    ],
    little,
  );
  writeFileSync(path, whole.subarray(0, 60));
  const file = new PcapFile(
    (flags) => open(path, flags),
    (stampMs) => stampMs - 9000.25,
  );
  const total = async () => (await file.packets(0, 0)).total;
  expect(await total()).toBe(1);
  writeFileSync(path, whole.subarray(0, whole.length - 1));
  expect(await total(), 'the last one is not complete').toBe(2);
  writeFileSync(path, whole);
  expect(await total()).toBe(3);
  const [second] = (await file.packets(1, 1)).packets;
  expect(second).toMatchObject({ stampMs: 2999.749, length: 7 });
  expect(Buffer.from(second?.bytes ?? []).toString()).toBe('second');
  expect((await new PcapFile((flags) => open(path, flags)).packets(1, 1)).packets[0]?.stampMs).toBe(11_999.999);
  // Whoever asks meanwhile sees the same times, before and after they stand in the file.
  const stamps = async (reader: PcapFile) => (await reader.packets(0, 9)).packets.map(({ stampMs }) => stampMs);
  const asked = [stamps(file), file.settle(), stamps(file), file.settle(), stamps(file)] as const;
  const real = [1499.75, 2999.749, 2999.75];
  expect(await Promise.all(asked)).toEqual([real, undefined, real, undefined, real]);
  expect(await stamps(new PcapFile((flags) => open(path, flags)))).toEqual(real);
  expect(readFileSync(path).length).toBe(whole.length);
});

test('many look at a long file at once', async () => {
  const path = join(folder, 'long');
  const packets = Array.from({ length: 2000 }, (_, at) => [at, 0, String(at).padEnd(300)] as const);
  writeFileSync(path, pcap(packets, true));
  const file = new PcapFile((flags) => open(path, flags));
  const pages = await Promise.all(Array.from({ length: 8 }, () => file.packets(1999, 1)));
  for (const { packets: found, total } of pages) {
    expect(total).toBe(2000);
    expect(found[0]?.stampMs).toBe(1_999_000);
  }
});

test('what is no capture has no packets', async () => {
  const path = join(folder, 'text');
  writeFileSync(path, 'not a capture at all, but long enough to be one');
  expect((await new PcapFile((flags) => open(path, flags)).packets(0, 9)).total).toBe(0);
});
