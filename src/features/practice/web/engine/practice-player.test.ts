import { expect, test } from 'vitest';
import type { PlayerPhase, PracticePlayer } from './practice-player.ts';
import { createPlayerWithFakes, flushPromises } from './player-fakes.ts';
import { NO_LOOP } from '#web/audio/loop.ts';
import type { AudioFileStatus } from './check-audio-file.ts';

const passage = { kind: 'active', a: 10, b: 12 } as const;

test('the player does not fetch audio before play, but already accepts a seek', () => {
  const { player, audio } = createPlayerWithFakes();
  player.seek(42);
  expect([player.position(), audio.plays, audio.loads, audio.readyState]).toEqual([42, 0, 0, 0]);
  player.play();
  expect(audio.currentTime).toBe(42);
});

test('the last of two seeks wins, even if the file loads between them', () => {
  const { player, audio } = createPlayerWithFakes();
  player.seek(5);
  // The browser has the metadata, but has not fired `loadedmetadata` yet.
  audio.readyState = 1;
  player.seek(10);
  expect(player.position()).toBe(10);
  audio.dispatch('loadedmetadata');
  expect(player.position()).toBe(10);
});

test('starts at volume 0.7 and reports whether the volume can be set', () => {
  const usual = createPlayerWithFakes();
  expect([usual.audio.volume, usual.player.snapshot().canSetVolume]).toEqual([0.7, true]);
  const phone = createPlayerWithFakes({ volumeIsFixed: true });
  expect(phone.player.snapshot().canSetVolume).toBe(false);
});

test('pause keeps the position, and restart and stop return to 0', () => {
  const { player, clock } = createPlayerWithFakes();
  player.play();
  clock.advance(5_000);
  player.pause();
  clock.advance(5_000);
  expect([phase(player), Math.round(player.position())]).toEqual(['still', 5]);
  player.restart();
  clock.advance(2_000);
  expect([phase(player), Math.round(player.position())]).toEqual(['playing', 2]);
  player.stop();
  expect([phase(player), player.position()]).toEqual(['still', 0]);
});

test('reports an interruption by the device until the user acts', () => {
  const { player, audio } = createPlayerWithFakes();
  player.play();
  player.pause();
  expect(player.snapshot().isInterrupted).toBe(false);
  player.play();
  audio.pause();
  expect(player.snapshot()).toMatchObject({ phase: 'still', isInterrupted: true });
  player.play();
  expect(player.snapshot().isInterrupted).toBe(false);
  audio.pause();
  player.setA();
  expect(player.snapshot(), 'changing the loop clears the interruption').toMatchObject({
    phase: 'still',
    isInterrupted: false,
  });
});

test('playback stops at the end, and play then starts from the beginning', () => {
  const { player, clock } = createPlayerWithFakes({ duration: 3, realLength: 3.2 });
  player.play();
  clock.advance(4_000);
  expect(phase(player)).toBe('still');
  player.play();
  clock.advance(1_000);
  expect(player.position()).toBeCloseTo(1, 1);
});

test('uses the browser’s duration if it is near the server’s or the server has none', () => {
  const finer = createPlayerWithFakes({ duration: 60, realLength: 60.4 });
  finer.player.play();
  expect(finer.player.snapshot().length).toBe(60.4);
  const torso = createPlayerWithFakes({ duration: 2, realLength: 4.8 });
  torso.player.play();
  expect(torso.player.snapshot().length).toBe(2);
  const unmeasured = createPlayerWithFakes({ duration: null, realLength: 7 });
  unmeasured.player.play();
  expect(unmeasured.player.snapshot().length).toBe(7);
});

test('after A and B are set, playback stays between them', () => {
  const { player, clock } = createPlayerWithFakes();
  player.play();
  clock.advance(10_000);
  player.setA();
  expect(player.snapshot().loop).toEqual({ kind: 'a-set', a: 10 });
  clock.advance(2_000);
  expect(player.setB()).toBe(true);
  expect(player.snapshot().loop).toEqual(passage);
  expect(player.position()).toBe(10);
  for (let i = 0; i < 100; i += 1) {
    clock.advance(173);
    expect(player.position()).toBeGreaterThanOrEqual(10);
    expect(player.position()).toBeLessThanOrEqual(12.01);
  }
  expect(player.snapshot().round).toBeGreaterThan(5);
});

test('point B requires a point A and must be after it', () => {
  const { player } = createPlayerWithFakes();
  expect(player.setB()).toBe(false);
  player.seek(10);
  player.setA();
  expect(player.setB()).toBe(false);
  player.seek(9);
  expect(player.setB()).toBe(false);
  expect(player.snapshot().loop).toEqual({ kind: 'a-set', a: 10 });
});

test('setting A again removes B, and clearing the loop removes both points', () => {
  const { player } = createPlayerWithFakes({ practice: { loop: passage } });
  player.seek(11);
  player.setA();
  expect(player.snapshot().loop).toEqual({ kind: 'a-set', a: 11 });
  player.clearLoop();
  expect(player.snapshot().loop).toEqual(NO_LOOP);
});

test('a loop ends on time although the browser claims to be waiting for data', () => {
  const { player, audio } = createPlayerWithFakes({ practice: { loop: { kind: 'active', a: 10, b: 13 } } });
  player.play();
  audio.simulateFalseWaiting(3.5);
  expect(player.position()).toBeCloseTo(10.5, 1);
  expect(phase(player)).toBe('playing');
});

test('seeks stay within an active loop until the loop is cleared', () => {
  const { player } = createPlayerWithFakes({ practice: { loop: passage } });
  player.seek(40);
  expect(player.position()).toBe(12);
  player.seek(0);
  expect(player.position()).toBe(10);
  player.clearLoop();
  player.seek(40);
  expect(player.position()).toBe(40);
});

test('a loop that was cleared by playing a line outside it can be restored', () => {
  const { player, clock } = createPlayerWithFakes({ practice: { loop: passage } });
  player.play();
  player.clock.playLine(30);
  clock.advance(1_000);
  expect([phase(player), player.position()]).toEqual(['playing', 31]);
  expect(player.snapshot()).toMatchObject({ loop: NO_LOOP, clearedLoop: passage });
  player.loopAgain();
  clock.advance(500);
  expect(player.position()).toBe(10.5);
  expect(player.snapshot()).toMatchObject({ phase: 'playing', loop: passage, clearedLoop: null });
});

test.each([
  ['at A', 10, 10],
  ['0.2 s before A', 9.8, 10],
  ['inside the loop', 11, 11],
])('the loop stays when the user plays a line that begins %s', (_, start, position) => {
  const { player } = createPlayerWithFakes({ practice: { loop: passage } });
  player.clock.playLine(start);
  expect([player.position(), player.clock.loop(), phase(player)]).toEqual([position, passage, 'playing']);
});

test.each([
  ['1 s before A', 9],
  ['0.2 s before B', 11.8],
  ['at B', 12],
])('the loop is cleared when the user plays a line that begins %s', (_, start) => {
  const { player } = createPlayerWithFakes({ practice: { loop: passage } });
  player.clock.playLine(start);
  expect([player.position(), player.clock.loop()]).toEqual([start, null]);
});

test('after a line outside the loop was played, setting A discards the cleared loop', () => {
  const { player, clock } = createPlayerWithFakes({ practice: { loop: passage, gap: 2 } });
  player.play();
  clock.advance(2_500);
  player.clock.playLine(30);
  clock.advance(1_000);
  expect([phase(player), player.position()]).toEqual(['playing', 31]);
  player.setA();
  expect(player.snapshot().clearedLoop).toBeNull();
  player.loopAgain();
  expect(player.snapshot().loop).toEqual({ kind: 'a-set', a: 31 });
});

test('going to a position outside the loop clears the loop without playing', () => {
  const { player, audio } = createPlayerWithFakes({ practice: { loop: passage } });
  player.goTo(30);
  expect([player.position(), player.snapshot().clearedLoop, audio.plays]).toEqual([30, passage, 0]);
});

test('once the exact duration is known, a loop to the end of the melody is adjusted', () => {
  for (const realLength of [60.4, 59.7]) {
    const { player } = createPlayerWithFakes({ duration: 60, realLength });
    player.clock.setLoop(58, 60);
    player.play();
    expect(player.clock.loop()).toEqual({ kind: 'active', a: 58, b: realLength });
  }
  const within = createPlayerWithFakes({ duration: 60, realLength: 60.4, practice: { loop: passage } });
  within.player.play();
  expect(within.player.clock.loop()).toEqual(passage);
});

test('clock.loop() returns the same object until the loop changes', () => {
  const { player } = createPlayerWithFakes();
  const loops: unknown[] = [];
  player.clock.subscribe(() => loops.push(player.clock.loop()));
  player.clock.setLoop(10, 12);
  player.play();
  player.pause();
  expect(new Set(loops)).toEqual(new Set([player.clock.loop()]));
  player.moveB(11.5);
  expect(loops.at(-1)).toEqual({ kind: 'active', a: 10, b: 11.5 });
  player.setA();
  expect(loops.at(-1)).toBeNull();
});

test('setting a loop, stopping and restarting move the position to A', () => {
  const { player, clock } = createPlayerWithFakes();
  player.seek(30);
  player.play();
  player.clock.setLoop(10, 12);
  clock.advance(500);
  expect(player.position()).toBeCloseTo(10.5, 1);
  player.stop();
  expect(player.position()).toBe(10);
  player.restart();
  clock.advance(300);
  expect(player.position()).toBeCloseTo(10.3, 1);
});

test('loop points never cross, and the position stays between them', () => {
  const { player } = createPlayerWithFakes({ practice: { loop: passage } });
  player.play();
  player.moveA(50);
  expect(player.snapshot().loop).toMatchObject({ a: 11.9, b: 12 });
  expect(player.position()).toBe(11.9);
  player.moveA(2);
  player.moveB(0);
  expect(player.snapshot().loop).toMatchObject({ a: 2, b: 2.1 });
  player.moveB(99);
  expect(player.snapshot().loop).toMatchObject({ a: 2, b: 60 });
});

test('a loop to the end repeats even if the audio is slightly shorter than expected', () => {
  const { player, clock, audio } = createPlayerWithFakes({
    duration: 60,
    realLength: 59.8,
    practice: { loop: { kind: 'active', a: 58, b: 60 } },
  });
  player.play();
  clock.advance(5_000);
  expect(phase(player)).toBe('playing');
  expect(player.snapshot().round).toBe(3);
  expect(audio.currentTime).toBeGreaterThanOrEqual(58);
});

test('looping a melody shorter than one timer tick does not block the page', () => {
  const { player, clock, audio } = createPlayerWithFakes({
    duration: 1,
    realLength: 0.02,
    practice: { loop: { kind: 'active', a: 0, b: 0.02 } },
  });
  player.play();
  clock.advance(1_000);
  expect(audio.seeks.length).toBeGreaterThan(10);
  expect(audio.seeks.length).toBeLessThan(1_000);
});

test('a loop ends on time if the speed changes while it plays', () => {
  const { player, clock, audio } = createPlayerWithFakes({ practice: { loop: passage } });
  player.play();
  clock.advance(1_000);
  player.setRate(0.5);
  clock.advance(1_900);
  expect(player.snapshot().round).toBe(1);
  clock.advance(200);
  expect(player.snapshot().round).toBe(2);
  expect([audio.playbackRate, audio.preservesPitch]).toEqual([0.5, true]);
});

test('playback stops at A after the chosen repeats, and play then starts with round 1', () => {
  const { player, clock } = createPlayerWithFakes({ practice: { loop: passage, repeats: 3 } });
  player.play();
  clock.advance(6_100);
  expect(player.snapshot()).toMatchObject({ phase: 'still', round: 3, isDone: true });
  expect(player.position()).toBe(10);
  player.play();
  expect(player.snapshot()).toMatchObject({ phase: 'playing', round: 1, isDone: false });
});

test('the student’s turn lasts as long as the passage takes, times the chosen factor', () => {
  const { player, clock, audio } = createPlayerWithFakes({
    practice: { loop: passage, gap: 1.5, rate: 0.5 },
  });
  player.play();
  clock.advance(4_010);
  expect([phase(player), audio.paused, player.position()]).toEqual(['gap', true, 10]);
  expect([player.clock.isPlaying(), player.turn().length]).toEqual([false, 6]);
  clock.advance(5_900);
  expect(phase(player)).toBe('gap');
  clock.advance(200);
  expect([phase(player), audio.paused]).toEqual(['playing', false]);
  expect(player.snapshot().round).toBe(2);
});

test('the last round is also followed by the student’s turn', () => {
  const { player, clock } = createPlayerWithFakes({ practice: { loop: passage, gap: 1, repeats: 1 } });
  player.play();
  clock.advance(3_000);
  expect(phase(player)).toBe('gap');
  clock.advance(1_100);
  expect(player.snapshot()).toMatchObject({ phase: 'still', isDone: true, round: 1 });
});

test('pausing ends the student’s turn, and play then plays the passage', () => {
  const { player, clock, audio } = createPlayerWithFakes({ practice: { loop: passage, gap: 1 } });
  player.play();
  clock.advance(2_500);
  player.toggle();
  clock.advance(10_000);
  expect([phase(player), audio.paused]).toEqual(['still', true]);
  player.toggle();
  clock.advance(100);
  expect(player.position()).toBeCloseTo(10.1, 1);
});

test('seeking ends the student’s turn and plays from the new position', () => {
  const { player, clock } = createPlayerWithFakes({ practice: { loop: passage, gap: 2 } });
  player.play();
  clock.advance(2_500);
  player.seek(11);
  clock.advance(500);
  expect([phase(player), player.position()]).toEqual(['playing', 11.5]);
});

test('starting another player or a recorder ends the student’s turn', () => {
  const { player, clock, exclusivePlayback } = createPlayerWithFakes({ practice: { loop: passage, gap: 1 } });
  player.play();
  clock.advance(2_500);
  exclusivePlayback.pauseAll();
  clock.advance(10_000);
  expect(phase(player)).toBe('still');
});

test('playing the melody pauses all other audio on the page', () => {
  const first = createPlayerWithFakes();
  const other = Object.assign(new EventTarget(), { paused: false, pause: () => void (other.paused = true) });
  first.exclusivePlayback.add(other);
  first.player.play();
  expect(other.paused).toBe(true);
});

test('unplugging headphones pauses playback', () => {
  const { player, audio } = createPlayerWithFakes();
  player.play();
  audio.pause();
  expect(phase(player)).toBe('still');
});

test('the player stops if the browser blocks playback without a press', async () => {
  const { player, audio } = createPlayerWithFakes();
  audio.refusal = 'NotAllowedError';
  player.play();
  await flushPromises();
  expect(phase(player)).toBe('still');
});

test('without data, reports loading after 300 ms and a slow connection after 8 s', () => {
  const { player, clock, audio } = createPlayerWithFakes();
  audio.isFed = false;
  player.play();
  clock.advance(250);
  expect(phase(player)).toBe('playing');
  expect(player.clock.isPlaying()).toBe(false);
  clock.advance(100);
  expect(phase(player)).toBe('loading');
  clock.advance(8_000);
  expect(player.snapshot().isSlow).toBe(true);
  audio.feed();
  expect(player.snapshot()).toMatchObject({ phase: 'playing', isSlow: false });
});

test('a paused player never reports that it is loading', () => {
  const { player, clock, audio } = createPlayerWithFakes();
  player.play();
  player.pause();
  audio.starve();
  clock.advance(20_000);
  expect(player.snapshot()).toMatchObject({ phase: 'still', isSlow: false });
});

test('a missing file is reported as unavailable, and play does nothing', async () => {
  const fakes = createPlayerWithFakes();
  fakes.reach = 'gone';
  fakes.player.play();
  fakes.audio.fail(4);
  await flushPromises();
  expect(phase(fakes.player)).toBe('unavailable');
  const { plays } = fakes.audio;
  fakes.player.play();
  expect(fakes.audio.plays).toBe(plays);
});

test('a file that can’t be decoded is reported as unavailable', async () => {
  const { player, audio } = createPlayerWithFakes();
  player.play();
  audio.fail(3);
  await flushPromises();
  expect(phase(player)).toBe('unavailable');
});

test('a damaged file is reported as damaged and never retried', async () => {
  const fakes = createPlayerWithFakes();
  fakes.reach = 'damaged';
  fakes.player.play();
  fakes.audio.fail(2);
  await flushPromises();
  expect(phase(fakes.player)).toBe('damaged');
  const { plays, loads } = fakes.audio;
  fakes.player.play();
  fakes.player.retry();
  fakes.connection.dispatchEvent(new Event('online'));
  expect([phase(fakes.player), fakes.audio.plays, fakes.audio.loads]).toEqual(['damaged', plays, loads]);
});

test('retrying after a lost connection resumes at the same position and speed', async () => {
  const fakes = createPlayerWithFakes({ practice: { rate: 0.75 } });
  const { player, audio, clock } = fakes;
  player.play();
  clock.advance(20_000);
  fakes.reach = 'unreachable';
  audio.fail(2);
  await flushPromises();
  expect([phase(player), player.position()]).toEqual(['lost', 15]);
  player.retry();
  clock.advance(2_000);
  expect([phase(player), player.position(), audio.playbackRate]).toEqual(['playing', 16.5, 0.75]);
});

test('playback resumes automatically when the device is back online', async () => {
  const fakes = createPlayerWithFakes();
  fakes.player.play();
  fakes.clock.advance(5_000);
  fakes.reach = 'unreachable';
  fakes.audio.fail(2);
  await flushPromises();
  fakes.connection.dispatchEvent(new Event('online'));
  fakes.clock.advance(1_000);
  expect([phase(fakes.player), fakes.player.position()]).toEqual(['playing', 6]);
});

test('after a brief loss of connection, the player retries automatically only once', async () => {
  const { player, audio } = createPlayerWithFakes();
  player.play();
  audio.isFed = false;
  audio.fail(2);
  await flushPromises();
  expect([phase(player), audio.loads]).toEqual(['playing', 1]);
  audio.fail(2);
  await flushPromises();
  expect([phase(player), audio.loads]).toEqual(['lost', 1]);
});

test.each([
  ['the button or the space bar', (player: PracticePlayer) => player.toggle()],
  ['the pause key of a headset', (player: PracticePlayer) => player.pause()],
])('pausing with %s during a failure check keeps playback paused', async (_, press) => {
  for (const found of ['there', 'unreachable'] as const) {
    const { player, audio, clock, connection, answer } = createFailingPlayer();
    const { plays } = audio;
    expect(phase(player)).toBe('loading');
    press(player);
    expect([phase(player), audio.paused, audio.plays]).toEqual(['still', true, plays]);
    await answer(found);
    connection.dispatchEvent(new Event('online'));
    clock.advance(20_000);
    expect([phase(player), audio.plays, player.position()]).toEqual(['still', plays, 5]);
    player.toggle();
    clock.advance(1_000);
    expect([phase(player), player.position()]).toEqual(['playing', 6]);
  }
});

test('a pause and play during a failure check let playback resume after the check', async () => {
  const { player, audio, clock, answer } = createFailingPlayer();
  const { plays } = audio;
  player.toggle();
  player.toggle();
  expect([phase(player), audio.plays]).toEqual(['loading', plays]);
  clock.advance(8_000);
  expect(player.snapshot().isSlow).toBe(true);
  await answer('there');
  clock.advance(1_000);
  expect([phase(player), player.position()]).toEqual(['playing', 6]);
});

test('after a seek or restart during a failure check, plays from the new position', async () => {
  for (const [act, position] of [
    [(player: PracticePlayer) => player.seek(30), 31],
    [(player: PracticePlayer) => player.restart(), 1],
    [(player: PracticePlayer) => player.clock.playLine(20), 21],
    [(player: PracticePlayer) => player.clock.setLoop(40, 50), 41],
    [(player: PracticePlayer) => player.retry(), 6],
  ] as const) {
    const { player, audio, clock, answer } = createFailingPlayer();
    const { plays } = audio;
    act(player);
    expect([phase(player), audio.plays, audio.loads]).toEqual(['loading', plays, 0]);
    await answer('there');
    clock.advance(1_000);
    expect([phase(player), audio.plays, player.position()]).toEqual(['playing', plays + 1, position]);
  }
});

test('stopping during a failure check moves to the beginning and does not play', async () => {
  const { player, audio, answer } = createFailingPlayer();
  const { plays } = audio;
  player.stop();
  await answer('there');
  expect([phase(player), player.position(), audio.plays]).toEqual(['still', 0, plays]);
});

test('after a pause, playback does not resume when the connection is back', async () => {
  const { player, audio, connection, answer } = createFailingPlayer();
  const { plays } = audio;
  await answer('unreachable');
  expect(phase(player)).toBe('lost');
  player.pause();
  expect(phase(player)).toBe('still');
  connection.dispatchEvent(new Event('online'));
  expect([phase(player), audio.plays, player.position()]).toEqual(['still', plays, 5]);
});

test('a failure found while paused is not shown, and the next play retries', async () => {
  const { player, audio, clock, answer } = createFailingPlayer();
  player.pause();
  await answer('unreachable');
  player.play();
  clock.advance(1_000);
  expect([phase(player), audio.loads, player.position()]).toEqual(['playing', 1, 6]);
});

test.each(['playing', 'gap', 'loading'] as const)(
  'ending the player in phase %s removes its audio, listeners and timers',
  (when) => {
    const { player, audio, clock } = createPlayerWithFakes({ practice: { loop: passage, gap: 2 } });
    let told = 0;
    player.subscribe(() => (told += 1));
    audio.isFed = when !== 'loading';
    player.play();
    clock.advance(when === 'gap' ? 2_500 : 1_000);
    expect(phase(player)).toBe(when);
    player.end();
    const before = told;
    player.play();
    player.end();
    clock.advance(60_000);
    expect([audio.paused, audio.src, audio.listeners, clock.pending]).toEqual([true, '', 0, 0]);
    expect(told).toBe(before);
  },
);

test('a player that ends during a failure check does not load the file again', async () => {
  const { player, audio } = createPlayerWithFakes();
  player.play();
  audio.fail(2);
  player.end();
  const { loads } = audio;
  await flushPromises();
  expect([audio.loads, audio.src]).toEqual([loads, '']);
});

test('a player that has ended stays paused when a new player starts', () => {
  const first = createPlayerWithFakes();
  first.player.play();
  first.player.end();
  const second = createPlayerWithFakes();
  second.player.play();
  expect([first.audio.paused, second.audio.paused]).toEqual([true, false]);
});

test('player.clock notifies subscribers of every change, but not of time passing', () => {
  const { player, clock } = createPlayerWithFakes();
  player.play();
  let told = 0;
  const leave = player.clock.subscribe(() => (told += 1));
  clock.advance(5_000);
  expect(told).toBe(0);
  player.clock.playFrom(20);
  player.setRate(1.25);
  expect(told).toBeGreaterThan(1);
  expect([player.clock.now(), player.clock.isPlaying(), player.clock.rate()]).toEqual([20, true, 1.25]);
  leave();
  told = 0;
  player.pause();
  expect(told).toBe(0);
});

const phase = ({ snapshot }: { snapshot: () => { phase: PlayerPhase } }) => snapshot().phase;

/** Creates a player whose audio fails after five seconds. Call `answer` with the result of the file check. */
function createFailingPlayer() {
  const fakes = createPlayerWithFakes();
  let found = (_: AudioFileStatus) => {};
  fakes.reach = new Promise((resolve) => (found = resolve));
  fakes.player.play();
  fakes.clock.advance(5_000);
  fakes.audio.fail(2);
  const answer = async (reach: AudioFileStatus) => {
    found(reach);
    await flushPromises();
  };
  return { ...fakes, answer };
}
