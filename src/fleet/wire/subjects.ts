/** Everything a fleet says lies below `fp.`; teams are told apart by their accounts at the server. */
export const subjects = {
  /** Gateways ask all stations to say that they are there. */
  hello: 'fp.hello',
  /** What gateways tell all stations: machines that are wanted, sessions that have ended. */
  gateways: 'fp.gateways',
  beats: 'fp.beat.*',
  beat: (host: string) => `fp.beat.${host}`,
  allNews: 'fp.news.*',
  news: (host: string) => `fp.news.${host}`,
  /** Whose beat or news it is. */
  hostOf: (subject: string) => subject.slice(subject.lastIndexOf('.') + 1),
  /** Requests to one station. */
  to: (host: string, what: 'call' | 'ask' | 'cancel' | 'query' | 'open') => `fp.h.${host}.${what}`,
  /** From the gateway to the station, and back. The host is named so that a server can keep other hosts from listening. */
  channelUp: (host: string, id: string) => `fp.c.${host}.${id}.up`,
  channelDown: (host: string, id: string) => `fp.c.${host}.${id}.down`,
  /** Answers to a gateway: stations write there and read none of it. */
  answers: (gateway: string) => `fp.r.${gateway}`,
  /** Answers to a station, of the server or of a twin. */
  answersTo: (host: string) => `fp.i.${host}`,
  allNames: 'fp.name.>',
  name: (machine: string) => `fp.name.${machine.replaceAll('.', '~')}`,
  /** No machine can have this name. */
  noName: 'fp.name.~',
  machineOf: (subject: string) => subject.slice('fp.name.'.length).replaceAll('~', '.'),
  allFiles: 'fp.file.*',
  file: (name: string) => `fp.file.${name.replaceAll('.', '~')}`,
  fileOf: (subject: string) => subject.slice('fp.file.'.length).replaceAll('~', '.'),
  allParts: 'fp.part.*.*',
  part: (id: string, number: number | '*') => `fp.part.${id}.${number}`,
  allLeases: 'fp.lease.*',
  lease: (key: string) => `fp.lease.${key}`,
  allEvents: 'fp.ev.*',
  event: (host: string) => `fp.ev.${host}`,
  /** To a thread: how many of its events were taken. */
  eventsTaken: (host: string) => `fp.taken.${host}`,
} as const;

const hostPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,47}$/;

export function isHostName(name: string): boolean {
  return hostPattern.test(name);
}
