import type { PageSound } from '../channel.ts';
import { element } from './element.ts';
import { SoundPlayer } from './sound.ts';

/** The button that unmutes a machine: browsers play nothing before a person has asked for it. */
export class SoundButton {
  readonly #button = element('sound', HTMLButtonElement);
  readonly #player = new SoundPlayer();
  readonly #changed: (isListening: boolean) => void;

  constructor(changed: (isListening: boolean) => void) {
    this.#changed = changed;
    this.#button.onclick = () => void this.#toggle();
  }

  get isOn(): boolean {
    return this.#player.isOn;
  }

  /** `hasSound`: the machine that is watched can be listened to. */
  show(hasSound: boolean): void {
    this.#button.hidden = !hasSound;
  }

  play(sound: PageSound): void {
    this.#player.play(sound);
    this.#button.dataset.heard = String(Number(this.#button.dataset.heard ?? 0) + sound.samples.length);
  }

  async #toggle(): Promise<void> {
    const isOn = !this.#player.isOn;
    this.#button.textContent = isOn ? 'Mute' : 'Unmute';
    this.#changed(isOn);
    await (isOn ? this.#player.unmute() : this.#player.mute());
  }
}
