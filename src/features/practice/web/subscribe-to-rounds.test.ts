import { expect, test } from 'vitest';
import { NO_LOOP } from '#web/audio/loop.ts';
import { createEventEmitter } from '#web/store.ts';
import { subscribeToRounds, type RoundSource } from './subscribe-to-rounds.ts';

const loop = { kind: 'active', a: 1, b: 2 } as const;
type State = ReturnType<RoundSource['snapshot']>;

function createPlayingSource(first: State) {
  let now = first;
  const { subscribe, notify } = createEventEmitter();
  const audio = new EventTarget();
  let turns = 0;
  const source: RoundSource = {
    snapshot: () => now,
    subscribe,
  };
  const end = subscribeToRounds(source, audio, () => (turns += 1));
  const become = (next: Partial<State>) => {
    now = { ...now, ...next };
    notify();
    return turns;
  };
  const ended = () => {
    audio.dispatchEvent(new Event('ended'));
    return turns;
  };
  return { become, ended, end };
}

test('without a loop, each time the audio ends counts as a round', () => {
  const { ended, become, end } = createPlayingSource({ loop: NO_LOOP, round: 1, isDone: false });
  expect(become({})).toBe(0);
  expect(ended()).toBe(1);
  expect(ended()).toBe(2);
  end();
  expect(ended()).toBe(2);
});

test('a loop counts once per round, including the last round', () => {
  const { become, ended } = createPlayingSource({ loop, round: 1, isDone: false });
  expect(become({ round: 2 })).toBe(1);
  expect(ended(), 'the end of the audio is not counted twice').toBe(1);
  expect(become({ round: 3 })).toBe(2);
  expect(become({ isDone: true })).toBe(3);
  expect(become({ isDone: true })).toBe(3);
});

test('setting a new loop or starting over does not count as a round', () => {
  const { become } = createPlayingSource({ loop: NO_LOOP, round: 1, isDone: false });
  expect(become({ loop, round: 2 })).toBe(0);
  expect(become({ round: 1 })).toBe(0);
  expect(become({ loop: { ...loop, b: 3 }, round: 2 })).toBe(0);
});
