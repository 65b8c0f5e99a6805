import { ownValue } from '../../../../formats/own-value.ts';

/** A driver to load: DEVICE= or DEVICEHIGH=. */
export interface DeviceLine {
  readonly line: number;
  readonly path: string;
  /** Everything after the equals sign, as drivers are given it. */
  readonly text: string;
  readonly high: boolean;
}

/** What CONFIG.SYS says, as far as this DOS has it. */
export interface ConfigSys {
  readonly devices: DeviceLine[];
  /** Programs of INSTALL=, and a SHELL= that is not COMMAND.COM. */
  readonly commands: string[];
  files?: number;
  buffers?: number;
  country?: number;
  /** 437 without a word about it. */
  codePage?: number;
  breakCheck?: boolean;
  /** DOS=HIGH and DOS=UMB, or LOW and NOUMB. */
  high?: boolean;
  upper?: boolean;
  /** Numbers of lines that mean nothing. */
  readonly unknown: number[];
}

/** Lines of DOS 5 that have nothing to decide here: there are always 26 drives, and no limit of FCBs or stacks. */
const withoutEffect = new Set(['REM', 'LASTDRIVE', 'FCBS', 'STACKS', 'SWITCHES', 'DRIVPARM']);

type Reader = (config: ConfigSys, value: string, line: number) => boolean;

const readers: Readonly<Record<string, Reader>> = {
  DEVICE: (config, value, line) => device(config, value, line, false),
  DEVICEHIGH: (config, value, line) => device(config, value.replace(/^SIZE=\S+\s+/i, ''), line, true),
  // SHARE is a command of our interpreter.
  INSTALL: (config, value) =>
    value !== '' && config.commands.push(/^\S*\bSHARE\.EXE\b/i.test(value) ? 'SHARE' : value) > 0,
  SHELL: (config, value) => {
    const program = value.split(/[\s/]/)[0] ?? '';
    if (!/(^|\\)COMMAND(\.COM)?$/i.test(program)) config.commands.push(value);
    return value !== '';
  },
  FILES: (config, value) => number(value, 8, 255, (count) => ({ files: count }), config),
  BUFFERS: (config, value) => number(value.split(',')[0] ?? '', 1, 99, (count) => ({ buffers: count }), config),
  COUNTRY: (config, value) => {
    const [code = '', page = ''] = value.split(',');
    if (page.trim() !== '' && !number(page, 1, 999, (codePage) => ({ codePage }), config)) return false;
    return number(code, 1, 999, (country) => ({ country }), config);
  },
  BREAK: (config, value) => {
    config.breakCheck = /^ON$/i.test(value);
    return /^(ON|OFF)$/i.test(value);
  },
  DOS: (config, value) => {
    const words = value.toUpperCase().split(/[\s,]+/);
    if (words.includes('HIGH') || words.includes('LOW')) config.high = words.includes('HIGH');
    if (words.includes('UMB') || words.includes('NOUMB')) config.upper = words.includes('UMB');
    return words.every((word) => ['HIGH', 'LOW', 'UMB', 'NOUMB'].includes(word));
  },
};

export function parseConfigSys(text: string): ConfigSys {
  const config: ConfigSys = { devices: [], commands: [], unknown: [] };
  const [lines = ''] = text.split('\x1a');
  lines.split(/\r?\n/).forEach((content, index) => {
    const trimmed = content.trim();
    if (trimmed === '' || trimmed.startsWith(';')) return;
    const [, name = '', value = ''] = /^([A-Z]+)\s*[=\s;,]?\s*(.*)$/i.exec(trimmed) ?? [];
    const known = name.toUpperCase();
    if (withoutEffect.has(known)) return;
    if (!ownValue(readers, known)?.(config, value, index + 1)) config.unknown.push(index + 1);
  });
  return config;
}

function device(config: ConfigSys, value: string, line: number, high: boolean): boolean {
  const [path = ''] = value.split(/[\s/]/);
  if (path === '') return false;
  config.devices.push({ line, path, text: value, high });
  return true;
}

function number(
  value: string,
  least: number,
  most: number,
  change: (value: number) => Partial<ConfigSys>,
  config: ConfigSys,
): boolean {
  const parsed = /^\d+$/.test(value.trim()) ? Number(value) : -1;
  if (parsed < least || parsed > most) return false;
  Object.assign(config, change(parsed));
  return true;
}
