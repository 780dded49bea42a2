import { expect, test } from 'vitest';
import { NO_LOOP } from '#web/audio/loop.ts';
import { createEventEmitter } from '#web/store.ts';
import type { PlaybackSource } from '#features/practice/web/follow-playback.ts';
import { createPracticeCounter } from './practice-counter.ts';

type State = ReturnType<PlaybackSource['snapshot']>;
const loop = { kind: 'active', a: 0, b: 100 } as const;

/** Creates a fake player of a 100 s melody and a clock. The test advances both. */
function aPlayer() {
  let state: State = { loop: NO_LOOP, round: 1, isDone: false, phase: 'still', rate: 1, length: 100 };
  let [now, position] = [0, 0];
  const changes = createEventEmitter();
  const ticks = createEventEmitter();
  const source: PlaybackSource = {
    snapshot: () => state,
    position: () => position,
    subscribe: changes.subscribe,
    subscribeToTime(listener) {
      const leave = [changes.subscribe(listener), ticks.subscribe(listener)];
      return () => leave.forEach((each) => each());
    },
  };
  const audio = new EventTarget();
  const counted: { seconds: number; times: number }[] = [];
  const counter = createPracticeCounter(
    source,
    audio,
    () => now,
    (each) => counted.push(each),
  );
  const become = (next: Partial<State>) => {
    state = { ...state, ...next };
    changes.notify();
  };
  return {
    become,
    /** Advances time by the given seconds, with a tick every `tick` seconds. */
    run(seconds: number, tick = 0.25) {
      for (let gone = 0; gone < seconds; gone += tick) {
        now += tick * 1000;
        if (state.phase === 'playing') position += tick * state.rate;
        ticks.notify();
      }
    },
    seek(to: number) {
      position = to;
      ticks.notify();
    },
    ended() {
      audio.dispatchEvent(new Event('ended'));
      become({ phase: 'still' });
    },
    counter,
    counted,
    total() {
      counter.report();
      const sum = (name: 'seconds' | 'times') => counted.reduce((all, each) => all + each[name], 0);
      return { seconds: Math.round(sum('seconds')), times: sum('times') };
    },
  };
}

test('counts time while playing, at any speed, but not while stopped or loading', () => {
  const player = aPlayer();
  player.run(10);
  expect(player.total()).toEqual({ seconds: 0, times: 0 });
  player.become({ phase: 'playing', rate: 0.5 });
  player.run(60);
  player.become({ phase: 'loading' });
  player.run(30);
  player.become({ phase: 'still' });
  player.run(10);
  expect(player.total()).toEqual({ seconds: 60, times: 0 });
});

test('the student’s turn counts as practice', () => {
  const player = aPlayer();
  player.become({ phase: 'playing', loop: { ...loop, b: 10 } });
  player.run(10);
  player.become({ phase: 'gap' });
  player.run(10);
  player.become({ phase: 'still' });
  expect(player.total().seconds).toBe(20);
});

test('counts at most two seconds of the device’s sleep, unless the audio advanced', () => {
  const player = aPlayer();
  player.become({ phase: 'playing' });
  player.run(80, 40);
  expect(player.total().seconds, 'time in which the audio advanced counts').toBe(80);
  player.become({ phase: 'gap' });
  player.run(3600, 3600);
  expect(player.total().seconds, 'time asleep counts as one tick').toBe(82);
});

test('a melody that is heard to its end counts as sung once', () => {
  const player = aPlayer();
  player.become({ phase: 'playing' });
  player.run(100);
  player.ended();
  expect(player.total()).toEqual({ seconds: 100, times: 1 });
});

test('does not count a melody as sung if its end was reached by seeking', () => {
  const player = aPlayer();
  player.become({ phase: 'playing' });
  player.run(20);
  player.seek(95);
  player.run(5);
  player.ended();
  expect(player.total()).toEqual({ seconds: 25, times: 0 });
});

test('counts a round of a loop as sung only if the loop covers the whole melody', () => {
  const player = aPlayer();
  player.become({ phase: 'playing', loop });
  for (const round of [2, 3]) {
    player.run(100);
    player.become({ round });
    player.seek(0);
  }
  expect(player.total().times).toBe(2);
  player.become({ loop: { ...loop, a: 40, b: 50 }, round: 1 });
  for (const round of [2, 3, 4]) {
    player.seek(40);
    player.run(10);
    player.become({ round });
  }
  expect(player.total().times).toBe(2);
});

test('reports practice every 5 s, on pause and when counting ends, without duplicates', () => {
  const player = aPlayer();
  player.become({ phase: 'playing' });
  player.run(12);
  expect(player.counted.map(({ seconds }) => Math.round(seconds))).toEqual([5, 5]);
  player.become({ phase: 'still' });
  expect(player.counted).toHaveLength(3);
  player.become({ phase: 'playing' });
  player.run(1);
  player.counter.end();
  player.run(50);
  const seconds = player.counted.map((each) => Math.round(each.seconds));
  expect(seconds).toEqual([5, 5, 2, 1]);
});
