import { useEffect, useState } from 'react';
import { getImageUrl } from '#web/audio-ui/playback/media-url.ts';
import { useSoundUrl } from '#web/audio-ui/playback/use-sound-url.ts';
import { createResourceScope } from '#web/api/resource-scope.ts';
import { moveLoopEndToKnownEnd } from '#web/audio/loop.ts';
import { acquireWakeLock } from '#web/audio/wake-lock.ts';
import { connectMediaSession } from './engine/media-session.ts';
import { createBrowserEnvironment } from './engine/player-environment.ts';
import { savePracticeSettings, loadPracticeSettings } from './engine/practice-settings.ts';
import { createPracticePlayer, type PlayerSnapshot, type PracticePlayer } from './engine/practice-player.ts';
import { logUnexpectedError } from '#web/api/call.ts';
import { settings } from '#web/api/page-data.ts';
import { useStore } from '#web/use-store.ts';
import { useUser } from '#web/api/session.ts';
import type { MelodySummary } from '#features/melodies/contract.ts';
import type { PlayerStart } from './player-url.ts';
import { navigate } from 'wouter/use-browser-location';
import { queryClient } from '#web/api/query-client.ts';
import { getTodaysNextStep } from '#features/melodies/favourites/todays-list.ts';
import { todaysListQuery } from '#features/melodies/favourites/web/use-chosen-melodies.ts';
import { isPlayingTodaysList, getTodaysListUrl } from '#features/melodies/favourites/web/list-url.ts';
import { incrementSungCount, getTodaysSungCounts } from '#features/melodies/favourites/web/sung-today.ts';
import { NO_LOOP } from '#web/audio/loop.ts';
import { setPlayOnOpen } from './play-on-open.ts';
import { followPlayback } from './follow-playback.ts';

/**
 * Creates the player of a melody on an `<audio>` element, and ends it when the component unmounts. The player
 * is null until the element is mounted.
 * @param start position and speed from the URL; a null value falls back to the stored setting
 */
export function usePracticePlayer(melody: MelodySummary, audioUrl: string, start: PlayerStart) {
  const { id: userId, keepsPracticeLog } = useUser();
  const [audio, audioRef] = useState<HTMLAudioElement | null>(null);
  const [player, setPlayer] = useState<PracticePlayer | null>(null);
  const { id, duration, title, thumbnailUrl } = melody;
  const address = useSoundUrl({ name: audioUrl, copies: melody.audioCopies }, audio);
  const { at, rate } = start;

  useEffect(() => {
    if (!audio) return;
    // Accepts loop points up to a second beyond the server's duration, because that duration is rounded.
    const stored = loadPracticeSettings(userId, id, duration === null ? Infinity : duration + 1);
    const isList = isPlayingTodaysList(location.search);
    const created = createPracticePlayer(audio, {
      address,
      duration,
      practice: {
        ...stored,
        // Plays the whole melody in today's list. The melody's stored loop is kept for the next time.
        ...(isList && { loop: NO_LOOP }),
        ...(rate !== null && { rate }),
      },
      environment: createBrowserEnvironment(),
    });
    if (at !== null) created.goTo(at);
    const scope = createResourceScope();
    scope.own(() => created.end());
    scope.own(
      connectMediaSession({
        session: 'mediaSession' in navigator ? navigator.mediaSession : undefined,
        player: created,
        metadata: () => createMetadata(title, thumbnailUrl),
      }),
    );
    scope.own(followList(created, audio, id, userId));
    if (keepsPracticeLog) {
      void import('../log/web/start-counting-practice.ts').then(
        ({ startCountingPractice }) => scope.own(startCountingPractice(created, audio, id, userId)),
        logUnexpectedError,
      );
    }
    scope.own(created.subscribe(() => saveSettings(created.snapshot())));
    let lastSaved: PlayerSnapshot = created.snapshot();
    function saveSettings(next: PlayerSnapshot) {
      if (next === lastSaved) return;
      lastSaved = next;
      const { rate, volume, repeats, gap, length } = next;
      // If the loop extends to the real end of the melody, stores the server's rounded duration as its end,
      // because the real duration is unknown when the player opens again.
      const set = duration === null ? next.loop : moveLoopEndToKnownEnd(next.loop, duration, length);
      const loop = isList && set.kind === 'none' ? stored.loop : set;
      savePracticeSettings(userId, id, { rate, volume, repeats, gap, loop });
    }
    // The effect creates the player when the element is mounted, and ends it in its cleanup.
    // oxlint-disable-next-line react/set-state-in-effect
    setPlayer(created);
    return () => {
      setPlayer(null);
      scope.end();
    };
  }, [address, at, audio, duration, id, keepsPracticeLog, rate, thumbnailUrl, title, userId]);

  return { audio, audioRef, player };
}

export const usePlayerSnapshot = (player: PracticePlayer) =>
  useStore({ subscribe: player.subscribe, get: player.snapshot });

/** Returns the position in whole seconds. Re-renders the component only when this number changes. */
export function usePlayerPosition(player: PracticePlayer): number {
  return useStore({ subscribe: player.subscribeToTime, get: () => Math.floor(player.position()) });
}

/** Keeps the screen of a phone on a music stand awake during playback and the student's turn. */
export function useWakeLock(isOn: boolean) {
  useEffect(() => {
    if (!isOn) return;
    const scope = createResourceScope();
    acquireWakeLock({ wakeLock: 'wakeLock' in navigator ? navigator.wakeLock : undefined, document }, scope);
    return () => scope.end();
  }, [isOn]);
}

const createMetadata = (title: string, thumbnailUrl: string | null) =>
  new MediaMetadata({
    title,
    artist: settings.teacherTitle,
    album: settings.appName,
    artwork: thumbnailUrl === null ? [] : [{ src: getImageUrl(thumbnailUrl) }],
  });

/**
 * Counts how often the whole melody is sung. While today's list is playing and no loop is set, repeats the
 * melody as often as the list requires, then opens the next melody.
 * @returns a function that stops counting
 */
function followList(player: PracticePlayer, audio: HTMLAudioElement, melodyId: number, userId: string) {
  if (isPlayingTodaysList(location.search)) void queryClient.prefetchQuery(todaysListQuery);
  const turns = followPlayback(player, audio, () => performance.now(), {
    onRoundEnd(isWhole) {
      if (isWhole) incrementSungCount(userId, melodyId);
      if (!isPlayingTodaysList(location.search) || player.snapshot().loop.kind === 'active') return;
      const list = queryClient.getQueryData(todaysListQuery.queryKey) ?? [];
      const next = getTodaysNextStep(list, getTodaysSungCounts(userId), melodyId);
      if (next.kind === 'again') player.play();
      else if (next.kind === 'rest') player.pause();
      else {
        setPlayOnOpen(next.melodyId);
        // Replaces the history entry, so that going back leads to the page on which the list was started.
        navigate(getTodaysListUrl(next.melodyId), { replace: true, state: history.state as unknown });
      }
    },
  });
  return turns.end;
}
