import type { OptionSchema } from '../../channel.ts';

interface OptionFieldProps {
  readonly name: string;
  readonly schema: OptionSchema;
  /** Undefined: as it is by default. */
  readonly change: (value: unknown) => void;
}

/** One option of a kind, as its schema has it. */
export function OptionField({ name, schema, change }: OptionFieldProps) {
  const { type, values, usual, description } = schema;
  const usually = usual === undefined ? '' : JSON.stringify(usual);
  return (
    <div class="option">
      <label for={`option-${name}`}>{name}</label>
      {values ? (
        <select
          id={`option-${name}`}
          onChange={(event) => change(values.find((each) => String(each) === event.currentTarget.value))}
        >
          <option value="">{`default ${usually}`}</option>
          {values.map((each) => (
            <option key={String(each)}>{String(each)}</option>
          ))}
        </select>
      ) : type === 'boolean' ? (
        <input
          id={`option-${name}`}
          type="checkbox"
          checked={usual === true}
          onChange={(event) => change(event.currentTarget.checked)}
        />
      ) : (
        <input
          id={`option-${name}`}
          placeholder={usually}
          spellcheck={false}
          onInput={(event) => change(givenValue(event.currentTarget.value, type))}
        />
      )}
      <small>{description}</small>
    </div>
  );
}

function givenValue(text: string, type: string): unknown {
  if (text === '') return undefined;
  if (type === 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
