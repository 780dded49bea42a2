import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeAudio, FakeAudioWithSource } from '#web/audio/passage-fakes.ts';
import { createExclusivePlayback } from '#web/audio/exclusive-playback.ts';
import { createMarkPlayer, type MelodyLineFinder } from './mark-player.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const mark = { start: 10, end: 12, melodyAt: 30 };
const line = { words: 'Sangye', start: 28, end: 33, src: '/song' };
const found: MelodyLineFinder = () => Promise.resolve(line);

function setUp() {
  const [recording, melody, playing] = [
    new FakeAudio(),
    new FakeAudioWithSource(),
    createExclusivePlayback(),
  ];
  playing.add(recording);
  const made = vi.fn(() => melody as unknown as HTMLAudioElement);
  const player = createMarkPlayer({ newAudio: made, playing });
  player.setRecording(recording as unknown as HTMLAudioElement);
  const sounding = () => [player.get().sounds, recording.paused, melody.paused];
  return { recording, melody, playing, made, player, sounding };
}
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);

test('plays the mark’s passage, then the melody’s line, and then stops', async () => {
  const { recording, melody, player, sounding } = setUp();
  player.press(0, mark, found);
  await pass(1.9);
  expect(sounding()).toEqual(['recording', false, true]);
  expect(recording.currentTime).toBeCloseTo(11.9);
  // The melody is not fetched yet, but `load` was called on its element during the press.
  expect([melody.src, melody.loads]).toEqual([null, 1]);
  await pass(0.2);
  expect(sounding()).toEqual(['melody', true, false]);
  expect([melody.src, player.get().line]).toEqual(['/song', line]);
  await pass(4.8);
  expect(melody.currentTime).toBeCloseTo(32.9);
  await pass(0.2);
  expect(sounding()).toEqual(['nothing', true, true]);
  expect(player.get().index).toBe(0);
});

test('a mark with a voice comment plays passage, comment, passage and melody line', async () => {
  const { recording, melody, player, made } = setUp();
  const voice = new FakeAudioWithSource();
  made.mockImplementationOnce(() => melody as never).mockImplementationOnce(() => voice as never);
  const heard: unknown[] = [];
  player.subscribe(() => {
    const { sounds } = player.get();
    if (heard.at(-1) !== sounds) heard.push(sounds);
  });
  player.press(0, mark, found, { src: '/voice', seconds: 3 });
  await pass(1.9);
  // The voice comment is fetched only when its turn comes.
  expect([voice.src, recording.paused]).toEqual([null, false]);
  await pass(0.2);
  expect([voice.src, voice.paused, recording.paused]).toEqual(['/voice', false, true]);
  // Pressing the mark during its voice comment stops the whole sequence.
  player.press(0, mark, found, { src: '/voice', seconds: 3 });
  await pass(20);
  expect([voice.paused, recording.paused, melody.paused]).toEqual([true, true, true]);
  player.press(0, mark, found, { src: '/voice', seconds: 3 });
  await pass(20);
  expect(heard.slice(-6)).toEqual([
    ...['recording', 'voice', 'recording', 'line on its way', 'melody', 'nothing'],
  ]);
});

test.each([
  ['the passage', 1, 'recording'],
  ['the melody’s line', 3, 'melody'],
] as const)('pressing the mark again during %s stops the sequence', async (_, after, sounds) => {
  const { player, sounding } = setUp();
  player.press(0, mark, found);
  await pass(after);
  expect(sounding()[0]).toBe(sounds);
  player.press(0, mark, found);
  expect(sounding()).toEqual(['nothing', true, true]);
  await pass(20);
  expect(sounding()).toEqual(['nothing', true, true]);
});

test.each(['recording', 'melody'] as const)('pausing the %s itself stops the sequence', async (which) => {
  const { player, sounding, ...audio } = setUp();
  player.press(0, mark, found);
  await pass(which === 'recording' ? 1 : 3);
  audio[which].pause();
  await pass(20);
  expect(sounding()).toEqual(['nothing', true, true]);
  expect(player.get().blocked).toBe(null);
});

test('seeking during the passage cancels the melody, but not the recording', async () => {
  const { recording, player, sounding } = setUp();
  player.press(0, mark, found);
  await pass(1);
  recording.currentTime = 50;
  await pass(20);
  expect(sounding()).toEqual(['nothing', false, true]);
});

test('pressing another mark during the passage or the melody plays that mark instead', async () => {
  const { recording, player, sounding } = setUp();
  player.press(0, mark, found);
  await pass(1);
  player.press(1, { start: 20, end: 22 }, found);
  await pass(1);
  expect(recording.currentTime).toBeCloseTo(21);
  await pass(2);
  expect([player.get().index, ...sounding()]).toEqual([1, 'nothing', true, true]);
  player.press(0, mark, found);
  await pass(3);
  player.press(1, { start: 20, end: 22 }, found);
  expect(sounding()).toEqual(['recording', false, true]);
});

test.each([
  ['the user has no access to the melody', () => Promise.resolve(null)],
  ['the library does not respond', () => Promise.reject(new Error('no connection'))],
])('plays only the mark’s passage if %s', async (_, none: MelodyLineFinder) => {
  const { melody, player, sounding } = setUp();
  player.press(0, mark, none);
  await pass(3);
  expect([...sounding(), melody.src]).toEqual(['nothing', true, true, null]);
  expect(player.get()).toMatchObject({ line: null, blocked: null });
});

test.each([
  ['a mark without a melody time', { start: 1, end: 2 }, found],
  ['a mark that the teacher assigned to no line', { start: 1, end: 2, melodyAt: null }, found],
  ['a mark on a page that plays no melodies', mark, null],
] as const)('does not prepare melody audio for %s', async (_, given, find) => {
  const { made, player, sounding } = setUp();
  player.press(0, given, find);
  await pass(3);
  expect([...sounding().slice(0, 2), made.mock.calls.length]).toEqual(['nothing', true, 0]);
});

test('reports that the browser blocked the melody, and plays it after another press', async () => {
  const { melody, player, sounding } = setUp();
  const play = melody.play.bind(melody);
  melody.play = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  player.press(0, mark, found);
  await pass(3);
  expect(player.get()).toMatchObject({ sounds: 'nothing', blocked: 'melody', line });
  melody.play = play;
  player.pressLine();
  expect(player.get()).toMatchObject({ sounds: 'melody', blocked: null });
  await pass(4);
  expect(sounding()).toEqual(['melody', true, false]);
});

test('a melody line that loads late plays unless other audio or a recorder has started', async () => {
  const { recording, playing, player, sounding } = setUp();
  const late = Promise.withResolvers<typeof line>();
  player.press(0, mark, () => late.promise);
  await pass(3);
  expect(sounding()).toEqual(['line on its way', true, true]);
  playing.pauseAll();
  late.resolve(line);
  await pass(1);
  expect(sounding()).toEqual(['nothing', true, true]);

  const later = Promise.withResolvers<typeof line>();
  player.press(0, mark, () => later.promise);
  await pass(3);
  void recording.play();
  later.resolve(line);
  await pass(1);
  expect(sounding()).toEqual(['nothing', false, true]);

  const last = Promise.withResolvers<typeof line>();
  player.press(0, mark, () => last.promise);
  await pass(3);
  last.resolve(line);
  await pass(1);
  expect(sounding()).toEqual(['melody', true, false]);
});

test('stops the melody when the recording’s audio element is removed', async () => {
  const { melody, player, sounding } = setUp();
  player.press(0, mark, found);
  await pass(3);
  player.setRecording(null);
  expect([...sounding(), melody.src]).toEqual(['nothing', true, true, null]);
});
