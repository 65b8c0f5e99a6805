import { useRef } from 'preact/hooks';
import { moment, useReads } from './moment.ts';
import { textOf } from './outcome.ts';

const registerForm = /(\S+)=([0-9A-F]+)(?: \(([^)]*)\))?/g;

/** The processor's registers; those that have changed since the stop before are lit. */
export function RegistersPane() {
  const [state] = useReads('registers', [{ tool: 'state_read', arguments: { instructions: 0 } }]);
  const last = useRef({ key: '', values: new Map<string, string>(), before: new Map<string, string>() });
  const [line = ''] = textOf(state).split('\n');
  const registers = [...line.matchAll(registerForm)].map(([, name = '', value = '', flags]) => ({
    name,
    value,
    flags,
  }));
  const key = `${moment.value?.stop ?? ''} ${moment.value?.time ?? ''}`;
  if (registers.length > 0 && key !== last.current.key) {
    const values = new Map(registers.map(({ name, value }) => [name, value]));
    last.current = { key, values, before: last.current.values };
  }
  const { before } = last.current;
  if (registers.length === 0) return <p class="quiet">{textOf(state) || '…'}</p>;
  return (
    <dl class="registers">
      {registers.map(({ name, value, flags }) => (
        <div key={name} class={before.has(name) && before.get(name) !== value ? 'lit' : ''}>
          <dt>{name}</dt>
          <dd>
            {value}
            {flags !== undefined && <small>{` ${flags}`}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
