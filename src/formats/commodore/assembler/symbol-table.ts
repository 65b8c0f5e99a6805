import type { AssemblySymbol, SourceLine } from './assembly.ts';

interface Entry {
  value: number | undefined;
  kind: AssemblySymbol['kind'];
  /** The pass that defined it last. */
  pass: number;
  line: SourceLine;
  readonly name: string;
  readonly scope: string;
}

interface Scope {
  readonly path: string;
  readonly parent: Scope | undefined;
  readonly entries: Map<string, Entry>;
  readonly children: Map<string, Scope>;
  /** Local labels by zone and name: a unique one can be reached from other globals of its zone. */
  readonly locals: Map<string, Set<Entry>>;
  lastGlobal: string;
  zone: string;
  anonymousChildren: number;
}

/** The symbols of all passes. What a pass has not defined yet keeps the value of the pass before. */
export class SymbolTable {
  readonly #root: Scope = newScope('', undefined);
  #current = this.#root;
  #pass = 0;
  #changed = false;
  #zones = 0;
  #anonymous = new Map<string, number[]>();
  #previousAnonymous = new Map<string, number[]>();

  beginPass(pass: number): void {
    this.#pass = pass;
    this.#changed = false;
    this.#zones = 0;
    this.#previousAnonymous = this.#anonymous;
    this.#anonymous = new Map();
    this.#current = this.#root;
    restart(this.#root);
  }

  /** True when something has another value than in the pass before. */
  get changed(): boolean {
    return this.#changed;
  }

  /** The label that local labels belong to, with its scope. */
  get lastGlobal(): string {
    return join(this.#current.path, this.#current.lastGlobal);
  }

  enter(name: string): void {
    const parent = this.#current;
    const key =
      name.includes('#') || name === '' ? `${name}${name === '' ? '#' : ''}${++parent.anonymousChildren}` : name;
    const child = parent.children.get(key) ?? newScope(join(parent.path, key), parent);
    parent.children.set(key, child);
    child.lastGlobal = '';
    child.zone = '';
    child.anonymousChildren = 0;
    this.#current = child;
  }

  leave(): void {
    this.#current = this.#current.parent ?? this.#root;
  }

  /** Starts a zone for `.local` labels and returns the one that was left. */
  enterZone(): { zone: string; lastGlobal: string } {
    const { zone, lastGlobal } = this.#current;
    this.resumeZone({ zone: `zone${++this.#zones}`, lastGlobal: '' });
    return { zone, lastGlobal };
  }

  resumeZone({ zone, lastGlobal }: { zone: string; lastGlobal: string }): void {
    this.#current.zone = zone;
    this.#current.lastGlobal = lastGlobal;
  }

  /** Defines a name; the line of the first definition when this pass has one already. */
  define(
    name: string,
    value: number | undefined,
    kind: 'label' | 'constant',
    line: SourceLine,
  ): SourceLine | undefined {
    const scope = this.#current;
    const local = isLocal(name) && (scope.lastGlobal !== '' || scope.zone !== '' || !name.startsWith('_'));
    const key = local ? localKey(scope, name) : name;
    if (kind === 'label' && !local) scope.lastGlobal = name;
    const entry = scope.entries.get(key);
    if (entry && entry.pass === this.#pass && entry.kind !== 'variable') return entry.line;
    const updated = this.#store(scope, key, value, kind, line);
    if (local) {
      const place = `${scope.zone}${name}`;
      const same = scope.locals.get(place) ?? new Set();
      scope.locals.set(place, same.add(updated));
    }
    return undefined;
  }

  /** Sets a variable where it is defined, or here. */
  assign(name: string, value: number | undefined, line: SourceLine): void {
    for (let scope: Scope | undefined = this.#current; scope; scope = scope.parent) {
      const entry = scope.entries.get(name);
      if (entry?.kind === 'variable' && entry.pass === this.#pass) {
        entry.value = value;
        return;
      }
    }
    const entry = this.#current.entries.get(name);
    // A variable starts anew in each pass, so its first value is no change.
    if (entry?.kind === 'variable') Object.assign(entry, { value, pass: this.#pass, line });
    else this.#store(this.#current, name, value, 'variable', line);
  }

  setVariable(name: string, value: number, line: SourceLine): void {
    this.#current.entries.set(name, {
      value,
      kind: 'variable',
      pass: this.#pass,
      line,
      name: join(this.#current.path, name),
      scope: this.#current.path,
    });
  }

  #store(scope: Scope, key: string, value: number | undefined, kind: Entry['kind'], line: SourceLine): Entry {
    const entry = scope.entries.get(key);
    if (!entry) {
      const created = { value, kind, pass: this.#pass, line, name: join(scope.path, key), scope: scope.path };
      scope.entries.set(key, created);
      this.#changed = true;
      return created;
    }
    if (entry.value !== value) this.#changed = true;
    return Object.assign(entry, { value, kind, pass: this.#pass, line });
  }

  lookup(name: string): { value: number | undefined; defined: boolean } | undefined {
    const entry = this.#find(name);
    return entry && entry.pass >= this.#pass - 1
      ? { value: entry.value, defined: entry.pass === this.#pass }
      : undefined;
  }

  #find(name: string): Entry | undefined {
    const absolute = name.startsWith('::');
    const path = name.replaceAll('::', '.').replace(absolute ? /^\./ : /^$/, '');
    for (let scope: Scope | undefined = absolute ? this.#root : this.#current; scope; scope = scope.parent) {
      const found = this.#findIn(scope, path);
      if (found) return found;
    }
    return undefined;
  }

  #findIn(scope: Scope, path: string): Entry | undefined {
    const alive = (entry: Entry | undefined) => (entry && entry.pass >= this.#pass - 1 ? entry : undefined);
    if (isLocal(path)) {
      const own = alive(scope.entries.get(localKey(scope, path)));
      if (own) return own;
      const same = [...(scope.locals.get(`${scope.zone}${path}`) ?? [])].filter(alive);
      if (same.length === 1) return same[0];
    }
    const entry = alive(scope.entries.get(path));
    if (entry) return entry;
    const dot = path.indexOf('.', 1);
    const child = dot < 0 ? undefined : scope.children.get(path.slice(0, dot));
    return child ? this.#findIn(child, path.slice(dot + 1)) : undefined;
  }

  defineAnonymous(name: string, address: number): void {
    const list = this.#anonymous.get(name) ?? [];
    if (this.#previousAnonymous.get(name)?.[list.length] !== address) this.#changed = true;
    list.push(address);
    this.#anonymous.set(name, list);
  }

  /** The nth label of that name before (negative) or after here. `--` is a name of its own where one is defined, else two back. */
  anonymous(name: string, distance: number): number | undefined {
    const count = Math.abs(distance);
    const repeated = name.repeat(count);
    if (
      count > 1 &&
      (name === '-' || name === '+') &&
      (this.#anonymous.has(repeated) || this.#previousAnonymous.has(repeated))
    ) {
      return this.anonymous(repeated, Math.sign(distance));
    }
    const list = this.#anonymous.get(name) ?? [];
    if (distance < 0) return list[list.length - count];
    return this.#previousAnonymous.get(name)?.[list.length + count - 1];
  }

  /** Every name as it could be written, for suggestions. */
  names(): ReadonlySet<string> {
    return new Set(
      [...this.all()].flatMap(({ name, scope }) => [name, scope === '' ? name : name.slice(scope.length + 1)]),
    );
  }

  /** All that the last pass defined. */
  *all(): Generator<AssemblySymbol> {
    yield* this.#allIn(this.#root);
  }

  *#allIn(scope: Scope): Generator<AssemblySymbol> {
    for (const { value, kind, pass, line, name } of scope.entries.values()) {
      if (pass !== this.#pass || value === undefined) continue;
      yield { name, value, kind, scope: scope.path, file: line.file, line: line.number };
    }
    for (const child of scope.children.values()) yield* this.#allIn(child);
  }
}

function newScope(path: string, parent: Scope | undefined): Scope {
  return {
    path,
    parent,
    entries: new Map(),
    children: new Map(),
    locals: new Map(),
    lastGlobal: '',
    zone: '',
    anonymousChildren: 0,
  };
}

function restart(scope: Scope): void {
  scope.lastGlobal = '';
  scope.zone = '';
  scope.anonymousChildren = 0;
}

const isLocal = (name: string) => /^[.@_]/.test(name);
const localKey = (scope: Scope, name: string) => `${scope.lastGlobal || scope.zone}${name}`;
const join = (path: string, name: string) => (path === '' ? name : name === '' ? path : `${path}.${name}`);
