import { element } from './element.ts';

/** A box for text, where nothing else brings it to the machine: on telephones, and without rights to the clipboard. */
export function openPasteDialog(send: (text: string) => void): void {
  const dialog = element('paste-dialog', HTMLDialogElement);
  const text = element('paste-text', HTMLTextAreaElement);
  dialog.returnValue = '';
  dialog.onclose = () => {
    if (dialog.returnValue === 'send' && text.value !== '') send(text.value);
    text.value = '';
  };
  dialog.showModal();
  text.focus();
}
