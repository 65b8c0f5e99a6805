import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { StartableKind } from '../../channel.ts';
import { call, listKinds } from '../requests.ts';
import { choose, isOpen } from '../store.ts';
import { OptionField } from './option-field.tsx';

/** Chooses a kind of machine and its options, and starts one. */
export function StartDialog({ close }: { readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [kinds, setKinds] = useState<readonly StartableKind[]>([]);
  const [chosen, setChosen] = useState('');
  const [options, setOptions] = useState<Readonly<Record<string, unknown>>>({});
  const [name, setName] = useState('');
  const [trouble, setTrouble] = useState('');
  const [isBusy, setBusy] = useState(false);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  // Another server may know other kinds.
  useEffect(() => {
    if (!isOpen.value) return;
    void listKinds().then((list) => {
      setKinds(list);
      setChosen((before) => (list.some((each) => each.kind === before) ? before : (list[0]?.kind ?? '')));
    });
  }, [isOpen.value]);
  const kind = kinds.find((each) => each.kind === chosen);
  /** Who starts a machine here wants to see it run. */
  const usual = kind?.options.clock?.values?.includes('real') ? { clock: 'real' } : {};
  const start = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    const outcome = await call(
      'machine_start',
      { kind: chosen, options: { ...usual, ...options }, ...(name !== '' && { name }) },
      true,
    );
    setBusy(false);
    if (outcome.type === 'answer') {
      choose(String(Reflect.get(Object(outcome.data), 'machine')));
      close();
    } else setTrouble(outcome.type === 'error' ? `${outcome.message} ${outcome.fix}` : outcome.question);
  };
  return (
    <dialog id="start-dialog" aria-labelledby="start-title" ref={dialog} onClose={close}>
      <form onSubmit={(event) => void start(event)}>
        <h2 id="start-title">Start a machine</h2>
        <label>
          Kind{' '}
          <select
            id="start-kind"
            value={chosen}
            onChange={(event) => {
              setChosen(event.currentTarget.value);
              setOptions({});
            }}
          >
            {kinds.map((each) => (
              <option key={each.kind}>{each.kind}</option>
            ))}
          </select>
        </label>
        <p class="quiet">{kind?.summary}</p>
        {'clock' in usual && (
          <p class="quiet">Started here it runs on its own, in real time; “clock” in the options changes that.</p>
        )}
        <label>
          Name{' '}
          <input value={name} placeholder={`${chosen}-1`} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        {kind && (
          <details open={Object.keys(kind.options).length < 5}>
            <summary>Options</summary>
            {Object.entries(kind.options).map(([option, schema]) => (
              <OptionField
                key={`${chosen} ${option}`}
                name={option}
                schema={option in usual ? { ...schema, usual: Reflect.get(usual, option) } : schema}
                change={(value) => setOptions((before) => changed(before, option, value))}
              />
            ))}
          </details>
        )}
        <p role="alert" class="bad">
          {trouble}
        </p>
        <div class="buttons">
          <button type="submit" id="start-now" class="primary" disabled={isBusy || chosen === ''}>
            Start
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}

function changed(
  before: Readonly<Record<string, unknown>>,
  option: string,
  value: unknown,
): Readonly<Record<string, unknown>> {
  const { [option]: _, ...rest } = before;
  return value === undefined ? rest : { ...rest, [option]: value };
}
