import { expect, test } from 'vitest';
import { type Loop, NO_LOOP } from '#web/audio/loop.ts';
import {
  createPlayerState,
  type PlayerEvent,
  type PlayerState,
  reducePlayer,
  type SoundState,
  getRemainingStudentTurnSeconds,
} from './player-reducer.ts';
import { DEFAULT_PRACTICE_SETTINGS, type PracticeSettings } from './practice-settings.ts';

const passage: Loop = { kind: 'active', a: 10, b: 12 };
const looped = { loop: passage };

test('pressing play during playback does not start over or count a round', () => {
  const at = playing(looped, { position: 11, round: 2 });
  expect(at.after('play')).toEqual({ state: at.state, commands: [{ type: 'play' }] });
});

test('a seek while loading does not stop playback or request it again', () => {
  const { commands, state } = playing({}, { position: 0, length: 0, failure: null }).after({
    type: 'seek',
    to: 0,
  });
  expect([commands, state.activity]).toEqual([[{ type: 'seek', to: 0 }], { kind: 'sound' }]);
});

test('setting a loop before playback moves the position to A', () => {
  const { state, commands } = still({}, { position: 0 }).after({ type: 'set-loop', a: 10, b: 12 });
  expect(state).toMatchObject({ loop: passage, activity: { kind: 'still' } });
  expect(commands).toEqual([{ type: 'seek', to: 10 }]);
});

test('playback stops at A after the last round, and play then starts with round 1', () => {
  const last = playing({ ...looped, repeats: 3 }, { position: 12, round: 3 });
  const { state, commands } = last.after('passage-ended');
  expect(state).toMatchObject({ activity: { kind: 'still' }, isDone: true, round: 3 });
  expect(commands).toEqual([{ type: 'pause' }, { type: 'seek', to: 10 }]);
  const again = reducePlayer(state, { type: 'play' }, soundAt({ position: 10 }));
  expect(again.state).toMatchObject({ activity: { kind: 'sound' }, isDone: false, round: 1 });
});

test('changing a finished loop, leaving it or seeking in it marks it as unfinished', () => {
  const done = still(looped, { position: 10 });
  const state = { ...done.state, isDone: true, round: 3 };
  const events: PlayerEvent[] = [
    { type: 'set-loop', a: 20, b: 30 },
    { type: 'move-b', to: 11 },
    { type: 'clear-loop' },
    { type: 'seek', to: 11 },
    { type: 'go-to', to: 40 },
  ];
  for (const event of events) expect(reducePlayer(state, event, soundAt({})).state.isDone).toBe(false);
});

test('moving a loop point keeps the round number, and a new loop resets it', () => {
  const at = playing(looped, { position: 11, round: 4 });
  expect(at.after({ type: 'move-a', to: 10.5 }).state.round).toBe(4);
  expect(at.after({ type: 'set-loop', a: 5, b: 12 }).state.round).toBe(1);
});

test.each([
  ['inside the loop keeps it', { a: 10.5, b: 11.5 }, false],
  ['outside the loop clears it', { a: 2, b: 4 }, true],
  ['that begins inside the loop but ends after it clears it', { a: 11, b: 20 }, true],
])('playing a passage %s', (_, { a, b }, clears) => {
  const { state, commands } = playing(looped, { position: 10 }).after({ type: 'play-passage', a, b });
  expect([state.loop, state.clearedLoop]).toEqual(clears ? [NO_LOOP, passage] : [passage, null]);
  expect(commands).toContainEqual({ type: 'seek', to: a });
});

test('ignores invalid loop points, and “Loop again” if no loop was cleared', () => {
  const at = playing(looped, { position: 10, round: 4 });
  for (const event of [
    { type: 'set-loop', a: 12, b: 10 },
    { type: 'set-b' },
    { type: 'loop-again' },
  ] as const)
    expect(at.after(event)).toEqual({ state: at.state, commands: [] });
});

test('playback stops at the end of the file, and play then starts from the beginning', () => {
  const { state } = playing({}, { position: 60, hasEnded: true }).after('ended');
  expect(state.activity).toEqual({ kind: 'still' });
  const { commands } = reducePlayer(state, { type: 'play' }, soundAt({ position: 59.9, hasEnded: true }));
  expect(commands).toEqual([{ type: 'seek', to: 0 }, { type: 'play' }]);
});

test('a loop that ends with the file starts its next round at A when the file ends', () => {
  const toEnd = playing({ loop: { kind: 'active', a: 58, b: 60 } }, { position: 59.8, hasEnded: true });
  const { state, commands } = toEnd.after('ended');
  expect([state.round, commands]).toEqual([2, [{ type: 'seek', to: 58 }, { type: 'play' }]]);
});

test('ignores passage-ended, turn-ended and ended events that arrive too late', () => {
  for (const event of ['passage-ended', 'turn-ended', 'ended'] as const) {
    const { state } = still(looped, { position: 12 }).after(event);
    expect(state).toMatchObject({ activity: { kind: 'still' }, round: 1, isDone: false });
  }
  const turn = inTurn();
  expect(turn.after('passage-ended').state).toBe(turn.state);
  const sounds = playing(looped, { position: 11 });
  expect(sounds.after('turn-ended').state).toBe(sounds.state);
});

test('the student’s turn lasts as long as the passage takes, times the chosen factor', () => {
  const at = playing({ ...looped, gap: 1.5, rate: 0.5 }, { position: 12, now: 5_000 });
  const { state, commands } = at.after('passage-ended');
  expect(commands).toEqual([{ type: 'pause' }, { type: 'seek', to: 10 }]);
  expect([5_000, 8_000, 20_000].map((now) => getRemainingStudentTurnSeconds(state, now))).toEqual([6, 3, 0]);
});

test.each([
  ['pressing Play', { type: 'play' }],
  ['seeking', { type: 'seek', to: 11 }],
  ['playing a line', { type: 'play-line', to: 30 }],
  ['setting another loop', { type: 'set-loop', a: 20, b: 30 }],
  ['an audio failure', { type: 'failing' }],
] as const)('%s ends the student’s turn and requests playback', (_, event) => {
  const { state, commands } = inTurn().after(event);
  expect(state.activity).toEqual({ kind: 'sound' });
  expect(commands.at(-1)).toEqual({ type: 'play' });
});

test.each(['pause', 'stop', 'interrupted', 'failed'] as const)(
  'the event “%s” ends the student’s turn without starting playback',
  (type) => {
    const { state, commands } = inTurn().after(type);
    expect(state.activity).toMatchObject({ kind: 'still' });
    expect(commands).not.toContainEqual({ type: 'play' });
  },
);

test('after a lost connection, play resumes in place and restart goes to the beginning', () => {
  const lost = still({}, { position: 20, failure: 'lost' });
  expect(lost.after('play').commands).toEqual([{ type: 'retry' }]);
  expect(lost.after('retry').state.activity).toEqual({ kind: 'sound' });
  expect(lost.after('restart').commands).toEqual([{ type: 'seek', to: 0 }, { type: 'retry' }]);
});

test('only a lost connection can be retried', () => {
  for (const failure of ['unavailable', 'damaged', 'checking', null] as const)
    expect(still({}, { failure }).after('retry').commands).toEqual([]);
  for (const failure of ['unavailable', 'damaged'] as const)
    for (const event of ['play', { type: 'play-line', to: 5 }, 'restart'] as const) {
      const { state, commands } = still({}, { failure }).after(event);
      expect(state.activity).toEqual({ kind: 'still' });
      expect(commands.map(({ type }) => type)).not.toContain('play');
    }
});

test('pause and play take effect as usual during a failure check', () => {
  const at = playing({}, { position: 5, failure: 'checking' });
  const { state } = at.after('pause');
  expect(state.activity).toEqual({ kind: 'still' });
  const again = reducePlayer(state, { type: 'play' }, soundAt({ position: 5, failure: 'checking' }));
  expect([again.state.activity, again.commands]).toEqual([{ kind: 'sound' }, [{ type: 'play' }]]);
});

type Moment = Partial<SoundState> & Partial<Pick<PlayerState, 'round'>>;
type Sent = PlayerEvent | Exclude<PlayerEvent, { to: unknown } | { a: number }>['type'];

function soundAt(moment: Partial<SoundState>): SoundState {
  return { position: 0, length: 60, hasEnded: false, failure: null, now: 1_000, ...moment };
}

function still(
  practice: Partial<PracticeSettings>,
  { round = 1, ...moment }: Moment,
  more?: Partial<PlayerState>,
) {
  const state = { ...createPlayerState({ ...DEFAULT_PRACTICE_SETTINGS, ...practice }, 60), round, ...more };
  const sound = soundAt(moment);
  const after = (event: Sent) =>
    reducePlayer(state, typeof event === 'string' ? { type: event } : event, sound);
  return { state, after };
}

const playing = (practice: Partial<PracticeSettings>, moment: Moment) =>
  still(practice, moment, { activity: { kind: 'sound' } });

const inTurn = () => still({ ...looped, gap: 1 }, { position: 10 }, { activity: { kind: 'turn', since: 0 } });
