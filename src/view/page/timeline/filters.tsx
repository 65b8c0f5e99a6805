import type { CallLine } from '../../channel.ts';

export interface Filter {
  readonly machine: string;
  readonly tool: string;
  readonly client: string;
  readonly isErrorsOnly: boolean;
}

export const noFilter: Filter = { machine: '', tool: '', client: '', isErrorsOnly: false };

export function matches(line: CallLine, { machine, tool, client, isErrorsOnly }: Filter): boolean {
  return (
    (machine === '' || line.machine === machine) &&
    (tool === '' || line.tool === tool) &&
    (client === '' || line.client === client) &&
    (!isErrorsOnly || line.isError)
  );
}

interface FiltersProps {
  readonly lines: readonly CallLine[];
  readonly filter: Filter;
  change(filter: Filter): void;
}

/** Which entries are to be seen: of one machine, tool or client, or only errors. */
export function Filters({ lines, filter, change }: FiltersProps) {
  const choice = (name: 'machine' | 'tool' | 'client', label: string, all: string) => (
    <label>
      {label}{' '}
      <select
        aria-label={label}
        value={filter[name]}
        onChange={({ currentTarget }) => change({ ...filter, [name]: currentTarget.value })}
      >
        <option value="">{all}</option>
        {valuesOf(lines, name).map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
    </label>
  );
  return (
    <fieldset class="filters" aria-label="Filter">
      {choice('machine', 'Machine', 'all machines')}
      {choice('tool', 'Tool', 'all tools')}
      {choice('client', 'Client', 'all clients')}
      <label>
        <input
          type="checkbox"
          checked={filter.isErrorsOnly}
          onChange={({ currentTarget }) => change({ ...filter, isErrorsOnly: currentTarget.checked })}
        />{' '}
        errors only
      </label>
    </fieldset>
  );
}

function valuesOf(lines: readonly CallLine[], name: 'machine' | 'tool' | 'client'): readonly string[] {
  return [...new Set(lines.flatMap((line) => line[name] ?? []))].toSorted();
}
