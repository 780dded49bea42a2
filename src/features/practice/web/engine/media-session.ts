import { isPlaybackOn, type PracticePlayer } from './practice-player.ts';

type MediaSessionOptions = {
  /** Undefined if the browser doesn't support media sessions. */
  session: MediaSession | undefined;
  player: PracticePlayer;
  /**
   * Called when playback first starts, because a melody that has not been played does not belong on the lock
   * screen.
   */
  metadata(): MediaMetadata;
};

const STEP_SECONDS = 10;

/** Connects the player to the lock screen and to headset keys. Returns a function that disconnects it. */
export function connectMediaSession({ session, player, metadata }: MediaSessionOptions): () => void {
  if (!session) return () => {};
  const handlers: Partial<Record<MediaSessionAction, MediaSessionActionHandler>> = {
    play: () => player.play(),
    pause: () => player.pause(),
    stop: () => player.stop(),
    seekbackward: ({ seekOffset }) => player.seek(player.position() - (seekOffset ?? STEP_SECONDS)),
    seekforward: ({ seekOffset }) => player.seek(player.position() + (seekOffset ?? STEP_SECONDS)),
    seekto: ({ seekTime }) => seekTime !== undefined && player.seek(seekTime),
    previoustrack: () => player.restart(),
  };
  const actions = Object.entries(handlers) as [MediaSessionAction, MediaSessionActionHandler][];
  let isShown = false;

  const update = () => {
    const { phase, length, rate } = player.snapshot();
    if (!isShown && !isPlaybackOn(phase)) return;
    if (!isShown) {
      isShown = true;
      session.metadata = metadata();
      for (const [action, handler] of actions) setHandler(session, action, handler);
    }
    session.playbackState = isPlaybackOn(phase) ? 'playing' : 'paused';
    const position = Math.min(player.position(), length);
    if (length > 0) session.setPositionState?.({ duration: length, playbackRate: rate, position });
  };

  const unsubscribe = player.subscribe(update);
  return () => {
    unsubscribe();
    if (!isShown) return;
    for (const [action] of actions) setHandler(session, action, null);
    session.metadata = null;
    session.playbackState = 'none';
    session.setPositionState?.();
  };
}

/** Sets an action handler. Ignores the error that a browser throws for an action that it doesn't support. */
function setHandler(
  session: MediaSession,
  action: MediaSessionAction,
  handler: MediaSessionActionHandler | null,
) {
  try {
    session.setActionHandler(action, handler);
  } catch {
    return;
  }
}
