import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a false QEMU does with whoever connects; the texts are bodies of functions in its program. */
interface Behaviour {
  /** With a connection to its monitor: `socket`, `lines` (what it was sent so far) and `say(text)`. */
  readonly qmp?: string;
  /** With one to its debugger: `socket` and `packet(text)`. */
  readonly gdb?: string;
  /** With one to its serial port: `socket`. */
  readonly serial?: string;
  /** At its start. */
  readonly start?: string;
}

/** Answers as QEMU does as long as nothing is asked. */
const politeQmp = `
  say('{"QMP":{"version":{"qemu":{"major":7,"minor":2,"micro":22}},"capabilities":[]}}');
  socket.on('data', (chunk) => {
    for (const line of String(chunk).split('\\n').filter(Boolean)) {
      const { id, execute } = JSON.parse(line);
      const value = execute === 'query-named-block-nodes' ? [] : execute === 'query-status' ? {status:'paused',running:false} : {};
      say(JSON.stringify({ return: value, id }));
      if (execute === 'quit') setTimeout(() => process.exit(0), 10);
    }
  });`;

/** One processor that is stopped, with nothing in its registers. */
const politeGdb = `
  socket.on('data', (chunk) => {
    for (const [, text] of String(chunk).matchAll(/\\$([^#]*)#/g)) {
      if (text.startsWith('qSupported')) packet('PacketSize=1000;vContSupported+');
      else if (text.startsWith('qfThreadInfo')) packet('mp01.01');
      else if (text.startsWith('qsThreadInfo')) packet('l');
      else if (text.startsWith('Hg') || text.startsWith('Z') || text.startsWith('z')) packet('OK');
      else if (text === '?') packet('T05thread:p01.01;');
      else if (text === 'g') packet('00'.repeat(600));
      else if (/^[mp]/.test(text)) packet('00'.repeat(8));
      else packet('');
    }
  });`;

/** A program in QEMU's place that listens where it is told to and then misbehaves. Returns the folder it lies in. */
export function falseQemu(
  folder: string,
  name: string,
  { qmp = politeQmp, gdb = politeGdb, serial = '', start = '' }: Behaviour,
): string {
  const bin = join(folder, name.replaceAll(/\W/g, '-'));
  mkdirSync(bin);
  const program = join(bin, 'qemu-system-x86_64');
  writeFileSync(
    program,
    `#!${process.execPath}
const { createServer } = require('node:net');
process.on('SIGTERM', () => process.exit(0));
const args = process.argv.slice(2);
${start}
const listen = (path, serve) => (require('node:fs').rmSync(path, { force: true }), createServer)((socket) => { socket.on('error', () => {}); serve(socket); }).listen(path);
for (const arg of args) {
  const qmp = /^unix:(?!path=)([^,]+),server/.exec(arg)?.[1];
  const gdb = /^unix:path=([^,]+),server/.exec(arg)?.[1];
  const serial = /^socket,id=[^,]+,path=([^,]+),/.exec(arg)?.[1];
  if (serial) listen(serial, (socket) => { ${serial} });
  if (qmp) listen(qmp, (socket) => { const say = (text) => socket.write(text + '\\r\\n'); ${qmp} });
  if (gdb) listen(gdb, (socket) => {
    const packet = (text) => socket.write('+$' + text + '#' + [...text].reduce((sum, c) => (sum + c.charCodeAt(0)) & 255, 0).toString(16).padStart(2, '0'));
    ${gdb}
  });
}
setTimeout(() => process.exit(3), 60000);
`,
  );
  chmodSync(program, 0o755);
  return bin;
}

/**
 * The real QEMU behind a program that stands between it and us: at SIGUSR2 it cuts the connection to the monitor, at SIGHUP
 * the one to the debugger, at SIGWINCH it says nonsense on both.
 */
export function cutQemu(folder: string): string {
  const bin = join(folder, 'cut');
  mkdirSync(bin);
  const program = join(bin, 'qemu-system-x86_64');
  writeFileSync(
    program,
    `#!${process.execPath}
const { createServer, connect } = require('node:net');
const { spawn } = require('node:child_process');
const { rmSync } = require('node:fs');
const sockets = { qmp: [], gdb: [] };
const between = (path, kind) => createServer((near) => {
  const tryIt = () => {
    const far = connect(path + '-');
    far.on('error', () => setTimeout(tryIt, 20));
    far.on('connect', () => { near.pipe(far); far.pipe(near); far.on('close', () => near.destroy()); });
  };
  near.on('error', () => {});
  sockets[kind].push(near);
  tryIt();
}).listen(path);
const args = process.argv.slice(2).map((arg) => {
  const [, form, path, rest] = /^(unix:(?:path=)?)([^,]+)(,server=on.*)$/.exec(arg) ?? [];
  if (path === undefined) return arg;
  for (const each of [path, path + '-']) rmSync(each, { force: true });
  between(path, form === 'unix:' ? 'qmp' : 'gdb');
  return form + path + '-' + rest;
});
const child = spawn('/usr/bin/qemu-system-x86_64', args, { stdio: 'inherit' });
child.on('exit', (code) => process.exit(code ?? 1));
const nonsense = Buffer.from([...Array(256).keys()]);
process.on('SIGUSR2', () => { for (const each of sockets.qmp) each.destroy(); });
process.on('SIGHUP', () => { for (const each of sockets.gdb) each.destroy(); });
process.on('SIGWINCH', () => { for (const each of [...sockets.qmp, ...sockets.gdb]) each.write(nonsense); });
`,
  );
  chmodSync(program, 0o755);
  return bin;
}
