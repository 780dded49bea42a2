import { expect, test } from 'vitest';
import { connectMediaSession } from './media-session.ts';
import { createPlayerWithFakes } from './player-fakes.ts';

test('after playback starts, the lock screen shows the melody and controls the player', () => {
  const { player, clock, session } = connected();
  expect(session.metadata).toBeNull();
  player.play();
  clock.advance(20_000);
  expect(session).toMatchObject({ playbackState: 'playing', metadata: { title: 'Refuge' } });
  session.press('pause');
  expect([player.snapshot().phase, session.playbackState]).toEqual(['still', 'paused']);
  session.press('seekbackward');
  expect(player.position()).toBe(10);
  session.press('seekforward', { seekOffset: 5 });
  expect(player.position()).toBe(15);
  session.press('seekto', { seekTime: 40 });
  expect(session.position).toMatchObject({ duration: 60, position: 40, playbackRate: 1 });
  session.press('play');
  expect(player.snapshot().phase).toBe('playing');
  session.press('previoustrack');
  expect([player.snapshot().phase, player.position()]).toEqual(['playing', 0]);
  clock.advance(3_000);
  session.press('stop');
  expect([player.snapshot().phase, player.position()]).toEqual(['still', 0]);
});

test('the lock screen can’t seek out of an active loop', () => {
  const { player, session } = connected();
  player.clock.setLoop(10, 12);
  player.play();
  session.press('pause');
  session.press('seekto', { seekTime: 40 });
  expect(player.position()).toBe(12);
  session.press('previoustrack');
  expect(player.position()).toBe(10);
});

test('disconnecting the media session clears the lock screen', () => {
  const { player, session, leave } = connected();
  player.play();
  leave();
  expect(session).toMatchObject({ metadata: null, playbackState: 'none', position: undefined });
  expect([...session.handlers.values()].filter((handler) => handler !== null)).toEqual([]);
});

test('connects even if the browser has no media session or does not support an action', () => {
  connectMediaSession({ session: undefined, player: createPlayerWithFakes().player, metadata })();
  const { player, session } = connected();
  session.unknown = 'seekto';
  player.play();
  expect(session.handlers.has('seekforward')).toBe(true);
});

function connected() {
  const fakes = createPlayerWithFakes();
  const session = new FakeMediaSession();
  const leave = connectMediaSession({
    session: session as unknown as MediaSession,
    player: fakes.player,
    metadata,
  });
  return { ...fakes, session, leave };
}

const metadata = () => ({ title: 'Refuge' }) as MediaMetadata;

class FakeMediaSession {
  metadata: MediaMetadata | null = null;
  playbackState = 'none';
  position: MediaPositionState | undefined;
  unknown = '';
  readonly handlers = new Map<string, MediaSessionActionHandler | null>();

  setActionHandler(action: MediaSessionAction, handler: MediaSessionActionHandler | null) {
    if (action === this.unknown) throw new TypeError('unknown');
    this.handlers.set(action, handler);
  }

  setPositionState(position?: MediaPositionState) {
    this.position = position;
  }

  press(action: MediaSessionAction, details: Partial<MediaSessionActionDetails> = {}) {
    this.handlers.get(action)?.({ action, ...details });
  }
}
