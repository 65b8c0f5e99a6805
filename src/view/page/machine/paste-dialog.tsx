import { useLayoutEffect, useRef } from 'preact/hooks';

interface PasteDialogProps {
  readonly send: (text: string) => void;
  readonly close: () => void;
}

/** A box for text, where nothing else brings it to the machine: on telephones, and without rights to the clipboard. */
export function PasteDialog({ send, close }: PasteDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    text.current?.focus();
  }, []);
  const closed = () => {
    const typed = text.current?.value ?? '';
    if (dialog.current?.returnValue === 'send' && typed !== '') send(typed);
    close();
  };
  return (
    <dialog id="paste-dialog" aria-labelledby="paste-label" ref={dialog} onClose={closed}>
      <form method="dialog">
        <label id="paste-label" for="paste-text">
          Text for the machine
        </label>
        <textarea id="paste-text" ref={text} rows={8} spellcheck={false} autocapitalize="off" autocomplete="off" />
        <div class="buttons">
          <button type="submit" id="paste-send" value="send">
            Type it
          </button>
          <button type="submit" value="">
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}
