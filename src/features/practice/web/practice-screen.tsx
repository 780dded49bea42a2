import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { type FocusedElement, type Shortcut, getShortcut } from './engine/shortcuts.ts';
import type { PracticePlayer } from './engine/practice-player.ts';
import { MessageDialog } from '#web/ui/alert-dialog.tsx';
import { useUser } from '#web/api/session.ts';
import { readLocalStorage, writeLocalStorage } from '#web/device/local-storage.ts';
import { ScreenReaderAnnouncement } from '#web/ui/announcement.tsx';
import { useLineNotes } from '#features/teaching-notes/web/use-line-notes.ts';
import type { MelodyDetail, MelodySummary } from '#features/melodies/contract.ts';
import type { SungLine } from '#features/lyrics/parse.ts';
import { type SungLineStart, findPassageIndexAt, findLineStart } from '#features/lyrics/timings.ts';
import { type LoopedLines, useLineLoops } from '#features/lyrics/web/line-loops.ts';
import { LazyTimingEditor } from './timing/lazy-timing-editor.tsx';
import { useTimedText } from '#features/lyrics/web/use-timed-text.ts';
import { useLyricsScale } from '#features/lyrics/web/lyrics-scale.ts';
import { PlayerDock, type DockPanelName } from './player-dock.tsx';
import { DockFrame } from './dock-frame.tsx';
import { hasLoadedWords, MelodyText, getMelodyIfWordsLoaded } from './melody-text.tsx';
import type { RefetchableResource } from '#web/ui/load-failure.tsx';
import type { PlayerStart } from './player-url.ts';
import { PlayerDialog } from './player-dialog.tsx';
import { PlayerMenu } from './player-menu.tsx';
import { getPlayerAnnouncement, LOOP_POINTS_ORDER_MESSAGE } from './player-messages.ts';
import { usePlayerSnapshot, usePracticePlayer, useWakeLock } from './use-practice-player.ts';
import { TodaysListBar } from './todays-list-bar.tsx';
import { consumePlayOnOpen } from './play-on-open.ts';
import { saveLastPractisedMelody } from './engine/practice-settings.ts';

type PracticeScreenProps = {
  melodyId: number;
  melody: MelodySummary;
  audioUrl: string;
  /** Includes the words and the waveform; null until loaded. */
  details: MelodyDetail | null;
  /** Set if the details could not be loaded. */
  missing: RefetchableResource | null;
  start: PlayerStart;
  onClose: () => void;
};

const STEP_SECONDS = 5;

const TIMING_SHORTCUTS: readonly Shortcut[] = ['toggle', 'back', 'forward'];

/** The words, with the controls below them, or beside them on short screens. */
export function PracticeScreen(props: PracticeScreenProps) {
  const { melodyId, melody, audioUrl, details, missing, start, onClose } = props;
  const { audio, audioRef, player } = usePracticePlayer(melody, audioUrl, start);
  const clock = player?.clock ?? null;
  const text = useTimedText(details ?? getMelodyIfWordsLoaded(melody));
  const loops = useLineLoops(clock, text.passages);
  const notes = useLineNotes(melodyId, details ? text.lines : NO_LINES, usePausablePlayback(player));
  const [size, chooseSize] = useLyricsScale();
  const { role } = useUser();
  useRecordPractised(player, melodyId, text.passages);
  const isKnown = details !== null || missing !== null;
  useStartPosition({ player, melodyId, passages: text.passages, line: start.line, isKnown });
  const playButton = useRef<HTMLButtonElement>(null);
  const [settings, setSettings] = useState<DockPanelName | null>(null);
  const [isAlerting, setIsAlerting] = useState(false);
  const [hasLetters, setHasLetters] = useLetterKeys();
  const [isTiming, setIsTiming] = useState(false);
  const leaveTiming = useRef<(() => void) | null>(null);
  const closeTiming = () => setIsTiming(false);
  const beginTiming = () => {
    // Clears the loop, because lines are timed over the whole melody.
    player?.clearLoop();
    setSettings(null);
    setIsTiming(true);
  };

  // Runs an action, then focuses Play, so that Space plays.
  const thenFocusPlay = (act: ((player: PracticePlayer) => void) | undefined) => () => {
    if (player) act?.(player);
    playButton.current?.focus();
  };
  const steps = {
    setA: thenFocusPlay((on) => on.setA()),
    setB: () => {
      // Focuses Play first, because the alert for an invalid B returns focus to where it was before.
      playButton.current?.focus();
      if (player?.setB() === false) setIsAlerting(true);
    },
    clear: thenFocusPlay((on) => on.clearLoop()),
    loopAgain: thenFocusPlay((on) => on.loopAgain()),
  };
  const onKeyDown = (event: KeyboardEvent, focused: FocusedElement) => {
    const shortcut = getShortcut(event, focused, hasLetters);
    if (!shortcut || !player || (isTiming && !TIMING_SHORTCUTS.includes(shortcut))) return;
    event.preventDefault();
    if (shortcut === 'toggle') player.toggle();
    else if (shortcut === 'set-a') steps.setA();
    else if (shortcut === 'set-b') {
      if (player.snapshot().loop.kind !== 'none') steps.setB();
    } else if (shortcut === 'loop-line') {
      const index =
        findFocusedLine(event.target) ??
        text.passages[findPassageIndexAt(text.passages, player.position())]?.index;
      if (index !== undefined) loops.toggleLine(index);
    } else player.seek(player.position() + (shortcut === 'back' ? -STEP_SECONDS : STEP_SECONDS));
  };
  const openSettings = (which: DockPanelName | null) => {
    if (which === 'singing') player?.pause();
    setSettings(which);
  };
  const words = { text, loops, size, notes };
  const shownMelody = details ?? melody;
  // If playback does not start at the beginning of the melody, the words stay hidden until their times are
  // loaded. Otherwise they would first show the beginning and then jump to the current line.
  const isInside = start.line !== null || (player?.position() ?? start.at ?? 0) > 0;
  const isPending = details === null && missing === null && isInside;

  return (
    <PlayerDialog
      {...{ melodyId, onKeyDown }}
      onClose={isTiming ? () => (leaveTiming.current ?? closeTiming)() : onClose}
      takesFocusLater
      heading={isTiming ? null : { title: melody.title, level: melody.transmissionLevel }}
      menu={
        <PlayerMenu
          title={melody.title}
          typed={hasLoadedWords(shownMelody) ? shownMelody.melodyText : null}
          {...{ words, clock }}
          onSize={chooseSize}
          letters={{ areKeys: hasLetters, choose: setHasLetters }}
          onSettings={openSettings}
        />
      }
    >
      {role === 'student' && <TodaysListBar melodyId={melodyId} />}
      <audio ref={audioRef} preload="none" />
      {player && <PlaybackEffects player={player} looped={loops.looped} />}
      {isTiming && details && player ? (
        <LazyTimingEditor melody={details} {...{ player, size }} leave={leaveTiming} onDone={closeTiming} />
      ) : (
        <div className="flex grow basis-0 flex-col beside:min-h-0 beside:flex-row">
          <MelodyText
            melody={shownMelody}
            {...{ words, missing, clock }}
            isPending={isPending}
            onTime={role === 'admin' ? beginTiming : null}
          />
          {player ? (
            <PlayerDock
              {...{ player, playButton, melody, details, missing, steps, settings }}
              unreportedFailure={hasLoadedWords(shownMelody) ? missing : null}
              looped={loops.looped}
              canSing={role === 'student'}
              sound={audio}
              onSettings={openSettings}
            />
          ) : (
            <DockFrame />
          )}
        </div>
      )}
      <MessageDialog
        isOpen={isAlerting}
        onClose={() => setIsAlerting(false)}
        sentence={LOOP_POINTS_ORDER_MESSAGE}
      />
    </PlayerDialog>
  );
}

/** Used until the details are loaded, so that no notes are fetched before then. */
const NO_LINES: readonly SungLine[] = [];

/** Returns the controls with which a voice note pauses and resumes the melody. */
const usePausablePlayback = (player: PracticePlayer | null) =>
  useMemo(() => player && { isPlaying: player.clock.isOn, pause: player.pause, play: player.play }, [player]);

/** Returns the index of the timed line that has focus; undefined if none has. */
function findFocusedLine(target: EventTarget): number | undefined {
  const line = target instanceof Element ? target.closest<HTMLElement>('[data-timed]') : null;
  return line ? Number(line.dataset['timed']) : undefined;
}

type Start = {
  player: PracticePlayer | null;
  melodyId: number;
  passages: readonly SungLineStart[];
  line: number | null;
  /** Whether the passages have loaded or failed to load. */
  isKnown: boolean;
};

/**
 * Goes to the line in the URL when its time is known, unless the player is already playing. Then starts
 * playback if `setPlayOnOpen` was called for this melody.
 */
function useStartPosition({ player, melodyId, passages, line, isKnown }: Start) {
  const hasBegun = useRef<PracticePlayer | null>(null);
  useEffect(() => {
    if (!player || hasBegun.current === player) return;
    const start = line === null ? null : findLineStart(passages, line);
    if (line !== null && start === null && !isKnown) return;
    hasBegun.current = player;
    if (start !== null && player.snapshot().phase === 'still') player.goTo(start);
    if (consumePlayOnOpen(melodyId)) player.play();
  }, [player, melodyId, passages, line, isKnown]);
}

/** Keeps the screen awake during playback and announces changes to screen readers. Renders nothing visible. */
function PlaybackEffects({ player, looped }: { player: PracticePlayer; looped: LoopedLines | null }) {
  const snapshot = usePlayerSnapshot(player);
  useWakeLock(snapshot.phase === 'playing' || snapshot.phase === 'gap');
  return <ScreenReaderAnnouncement text={getPlayerAnnouncement(snapshot, looped)} />;
}

const LETTER_KEYS_STORAGE_KEY = 'player letter keys';

/**
 * Returns whether single-letter shortcuts are on, with a setter. Users can turn them off, because speech input
 * may trigger them by accident.
 */
function useLetterKeys() {
  const [hasLetters, setHasLetters] = useState(() => readLocalStorage(LETTER_KEYS_STORAGE_KEY) !== 'off');
  const choose = (next: boolean) => {
    setHasLetters(next);
    writeLocalStorage(LETTER_KEYS_STORAGE_KEY, next ? null : 'off');
  };
  return [hasLetters, choose] as const;
}

/** During playback, stores on this device which melody is practised, at which line and speed. */
function useRecordPractised(
  player: PracticePlayer | null,
  melodyId: number,
  passages: readonly SungLineStart[],
) {
  const userId = useUser().id;
  useEffect(() => {
    if (!player) return;
    let noted: { line: number | null; rate: number } | null = null;
    const note = () => {
      if (player.snapshot().phase !== 'playing') return;
      const { rate } = player.snapshot();
      const line = passages[findPassageIndexAt(passages, player.position())]?.index ?? null;
      if (noted?.line === line && noted.rate === rate) return;
      noted = { line, rate };
      saveLastPractisedMelody(userId, { melodyId, ...noted });
    };
    const leave = player.subscribeToTime(note);
    return () => {
      leave();
      // Updates the time in the stored record, which is otherwise updated only when the line or speed
      // changes. The student may have practised a single line for an hour.
      if (noted) saveLastPractisedMelody(userId, { melodyId, ...noted });
    };
  }, [player, melodyId, passages, userId]);
}
