import { useEffect, useRef } from 'preact/hooks';
import { feeds } from '../feeds.ts';
import { SoundPlayer } from '../sound.ts';
import { heard, isListening, watched } from '../store.ts';

const player = new SoundPlayer();

/** Unmutes a machine: browsers play nothing before a person has asked for it. */
export function SoundButton() {
  const isOn = isListening.value;
  const hasFeed = useRef(false);
  useEffect(() => {
    if (hasFeed.current) return;
    hasFeed.current = true;
    feeds.sound = (sound) => {
      player.play(sound);
      heard.value += sound.samples.length;
    };
  }, []);
  const toggle = async () => {
    isListening.value = !isOn;
    await (isOn ? player.mute() : player.unmute());
  };
  return (
    <button
      type="button"
      id="sound"
      hidden={watched.value?.hasSound !== true}
      data-heard={heard.value}
      onClick={() => void toggle()}
    >
      {isOn ? 'Mute' : 'Unmute'}
    </button>
  );
}
