import { useRef } from 'preact/hooks';
import { programEndings, startWithFile } from './dropped-file.ts';

/** Runs a program that cannot be dropped: on a phone, or without a mouse. */
export function FileButton() {
  const field = useRef<HTMLInputElement>(null);
  const take = () => {
    const file = field.current?.files?.[0];
    if (file) void startWithFile(file);
    // The same file can be chosen again.
    if (field.current) field.current.value = '';
  };
  return (
    <>
      <button type="button" id="open-program" onClick={() => field.current?.click()}>
        Run a program …
      </button>
      <input ref={field} type="file" hidden aria-label="Program" accept={programEndings} onChange={take} />
    </>
  );
}
