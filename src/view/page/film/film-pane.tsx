import { useEffect } from 'preact/hooks';
import { fork } from '../overview/fork.ts';
import { look, perform } from '../requests.ts';
import { choose, mayAct, me, showTrouble, watched } from '../store.ts';
import { filmTrouble, happenings, openFilm, past, type Reel, reel, showPast } from './film.ts';

const lanes = [
  { type: 'stop', label: 'stops' },
  { type: 'snapshot', label: 'snapshots' },
  { type: 'call', label: 'calls' },
  { type: 'person', label: 'people' },
] as const;

/** The remembered past as a film: small pictures, a slider, and marks where something happened. */
export function FilmPane() {
  useEffect(openFilm, []);
  const film = reel.value;
  if (!film) return <p class="quiet">{filmTrouble.value || '…'}</p>;
  const time = past.value?.time;
  return (
    <div class="film">
      <Strip film={film} time={time} />
      <div class="lane">
        <span>moment</span>
        <input
          id="film-slider"
          type="range"
          aria-label="Moment in the past"
          aria-valuetext={momentText(film, time)}
          min={film.first}
          max={film.now}
          step={Math.max(1, Math.round(film.unitsPerSecond / 50))}
          value={time ?? film.now}
          onInput={(event) => showPast(Number(event.currentTarget.value))}
        />
      </div>
      <Marks film={film} />
      <div class="line">
        <span id="film-moment" role="status">
          {momentText(film, time)}
        </span>
        <button type="button" id="film-now" disabled={time === undefined} onClick={() => showPast(undefined)}>
          Now
        </button>
        <button
          type="button"
          id="film-back"
          disabled={time === undefined || !mayAct.value}
          onClick={() => time !== undefined && void goBackTo(film.machine, time)}
        >
          Go back to here
        </button>
        <button
          type="button"
          id="film-fork"
          disabled={time === undefined || me.value.role !== 'own'}
          onClick={() => time !== undefined && void forkFrom(film.machine, time)}
        >
          Fork from here
        </button>
        {filmTrouble.value !== '' && <span class="bad">{filmTrouble.value}</span>}
      </div>
    </div>
  );
}

function Strip({ film, time }: { readonly film: Reel; readonly time: number | undefined }) {
  const { times, columns, cell, sheet } = film;
  const rows = Math.ceil(times.length / columns);
  const shown = time === undefined ? -1 : times.findLastIndex((each) => each <= time);
  const place = (at: number, count: number) => (count > 1 ? `${(at / (count - 1)) * 100}%` : '0');
  return (
    <ol class="strip" aria-label="Film strip">
      {times.map((each, index) => (
        <li key={each}>
          <button
            type="button"
            aria-label={momentText(film, each)}
            title={momentText(film, each)}
            aria-pressed={index === shown}
            style={{
              aspectRatio: `${cell.width} / ${cell.height}`,
              backgroundImage: `url(${sheet})`,
              backgroundSize: `${columns * 100}% ${rows * 100}%`,
              backgroundPosition: `${place(index % columns, columns)} ${place(Math.floor(index / columns), rows)}`,
            }}
            onClick={() => showPast(each)}
          />
        </li>
      ))}
    </ol>
  );
}

function Marks({ film }: { readonly film: Reel }) {
  const span = Math.max(1, film.now - film.first);
  return (
    <div class="lanes">
      {lanes.map(({ type, label }) => (
        <div class={`lane ${type}`} key={type}>
          <span>{label}</span>
          <div class="marks">
            {happenings.value
              .filter((each) => each.type === type)
              .map(({ time, text }, index) => (
                <button
                  type="button"
                  key={index}
                  class={`mark ${type}`}
                  title={text}
                  aria-label={`${label}: ${text}`}
                  style={{ left: `${((time - film.first) / span) * 100}%` }}
                  onClick={() => showPast(time)}
                />
              ))}
          </div>
        </div>
      ))}
    </div>
  );
}

function momentText({ now, unitsPerSecond }: Reel, time: number | undefined): string {
  if (time === undefined) return 'now';
  return `${((now - time) / unitsPerSecond).toFixed(2)} s before now, ${time.toLocaleString()}`;
}

/** The machine itself becomes what it was: stopped first, so that it is known how far that is. */
async function goBackTo(machine: string, time: number): Promise<void> {
  if (watched.value?.state === 'RUNNING' && !(await perform('pause', { machine }))) return;
  const now = await nowOf(machine, time);
  if (!(now > time)) return showTrouble('That moment is no longer remembered.');
  if (!(await perform('run', { machine, back: true, cycles: now - time }))) return;
  const there = await nowOf(machine, time);
  if (there > time) showTrouble('A breakpoint stopped it on the way back. Press “Go back to here” again to continue.');
  else showPast(undefined);
}

/** Not a number where the moment is not remembered. */
async function nowOf(machine: string, time: number): Promise<number> {
  const seen = await look(machine, [{ tool: 'film_read', arguments: { at: time } }]);
  const [outcome] = seen?.outcomes ?? [];
  return outcome?.type === 'answer' ? Number(Reflect.get(Object(outcome.data), 'now')) : Number.NaN;
}

async function forkFrom(machine: string, time: number): Promise<void> {
  const into = await fork(machine, time);
  if (into === undefined) return;
  showPast(undefined);
  choose(into);
}
