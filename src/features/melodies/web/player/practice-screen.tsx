import { clsx } from 'clsx';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type Focused, shortcutOf } from '../../../../platform/web/player/shortcuts.ts';
import type { PracticePlayer } from '../../../../platform/web/player/practice-player.ts';
import { AlertMessage } from '../../../../platform/web/ui/alert-dialog.tsx';
import { Announce } from '../../../../platform/web/ui/announce.tsx';
import type { MelodyDetail, MelodySummary } from '../../contract.ts';
import { type Passage, startOf } from '../../sung-text/timings.ts';
import { useTimedText } from '../sung-text/use-timed-text.ts';
import { KeyHints } from './key-hints.tsx';
import { useLetterKeys } from './letter-keys.ts';
import { LoopButtons } from './loop-buttons.tsx';
import { hasWords, MelodyText, type Missing } from './melody-text.tsx';
import { PassageWaveform } from './passage-waveform.tsx';
import type { PlayerStart } from './player-address.ts';
import { PlayerFailure } from './player-failure.tsx';
import { PlayerFrame } from './player-frame.tsx';
import { announcementOf, B_BEFORE_A } from './player-messages.ts';
import { PracticeSettings } from './practice-settings.tsx';
import { PractiseHere } from './practise-here.tsx';
import { StateLine } from './state-line.tsx';
import { Transport } from './transport.tsx';
import { useNotedPractice } from './use-noted-practice.ts';
import { usePlayerSnapshot, usePracticePlayer, useScreenAwake } from './use-practice-player.ts';

type PracticeScreenProps = {
  melodyId: number;
  melody: MelodySummary;
  audioUrl: string;
  /** Includes the words and the waveform; null until it is loaded. */
  inFull: MelodyDetail | null;
  /** Set when `inFull` could not be loaded. */
  missing: Missing | null;
  start: PlayerStart;
  onClose: () => void;
};

const STEP_SECONDS = 5;
/** On a phone, the lines being timed need the room. */
const NOT_WHILE_TIMING = 'group-has-data-timing/player:max-lg:hidden';
const SETTINGS_ID = 'practice-settings';

export function PracticeScreen({
  melodyId,
  melody,
  audioUrl,
  inFull,
  missing,
  start,
  onClose,
}: PracticeScreenProps) {
  const { audioRef, player } = usePracticePlayer(melody, audioUrl, start);
  const { passages } = useTimedText(inFull ?? melody);
  useNotedPractice(player, melodyId, passages);
  useStartAtLine(player, passages, start.line);
  const playButton = useRef<HTMLButtonElement>(null);
  const [isAlerting, setIsAlerting] = useState(false);
  const [hasLetters, setHasLetters] = useLetterKeys();

  // So that Space plays after a point is set.
  const setA = () => {
    player?.setA();
    playButton.current?.focus();
  };
  const setB = () => {
    // Also before a refusal: the alert returns focus to where it was.
    playButton.current?.focus();
    if (player?.setB() === false) setIsAlerting(true);
  };
  const clear = () => {
    player?.clearLoop();
    playButton.current?.focus();
  };
  const loopAgain = () => {
    player?.loopAgain();
    playButton.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent, focused: Focused) => {
    const shortcut = shortcutOf(event, focused, hasLetters);
    if (!shortcut || !player) return;
    event.preventDefault();
    if (shortcut === 'toggle') player.toggle();
    else if (shortcut === 'set-a') setA();
    else if (shortcut === 'set-b') {
      if (player.snapshot().loop.kind !== 'none') setB();
    } else player.seek(player.position() + (shortcut === 'back' ? -STEP_SECONDS : STEP_SECONDS));
  };

  return (
    <PlayerFrame
      {...{ melodyId, onClose, onKeyDown }}
      takesFocusLater
      heading={{ title: melody.title, level: melody.transmissionLevel }}
      aside={<KeyHints className="ms-auto mt-2.5 shrink-0 text-sm text-soft max-lg:hidden" />}
    >
      <audio ref={audioRef} preload="none" />
      <Stage
        {...{ melody, inFull, missing, player, playButton, setA, setB, clear, loopAgain, hasLetters }}
        onLetters={setHasLetters}
      />
      <AlertMessage isOpen={isAlerting} onClose={() => setIsAlerting(false)} sentence={B_BEFORE_A} />
    </PlayerFrame>
  );
}

type StageProps = {
  melody: MelodySummary;
  inFull: MelodyDetail | null;
  missing: Missing | null;
  player: PracticePlayer | null;
  playButton: React.RefObject<HTMLButtonElement | null>;
  setA: () => void;
  setB: () => void;
  clear: () => void;
  loopAgain: () => void;
  hasLetters: boolean;
  onLetters: (hasLetters: boolean) => void;
};

/** Words above, controls below under the thumb; on wide screens, the settings are beside the words. */
function Stage(props: StageProps) {
  const { melody, inFull, missing, player, playButton, hasLetters, onLetters, loopAgain, ...loop } = props;
  const [isOpen, setIsOpen] = useState(false);
  const words = { melody: inFull ?? melody, missing };
  if (!player) return <MelodyText {...words} clock={null} />;
  return (
    <>
      <Attendance player={player} />
      <div
        className={clsx(
          'flex grow basis-0 flex-col lg:min-h-72 lg:flex-row',
          isOpen ? 'min-h-72' : 'min-h-36',
          'group-has-data-timing/player:max-lg:min-h-96',
        )}
      >
        <MelodyText
          {...words}
          clock={player.clock}
          className={clsx(isOpen && 'max-lg:min-h-24 max-lg:[@media(max-height:44rem)]:hidden')}
        />
        <PracticeSettings
          id={SETTINGS_ID}
          {...{ player, isOpen, hasLetters, onLetters }}
          isApproximate={inFull?.seeksExactly === false}
        />
      </div>
      <footer className="shrink-0 border-t border-line bg-surface px-4 pt-2.5 pb-[max(1rem,env(safe-area-inset-bottom))] sm:px-8">
        <div className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] gap-3">
          <PlayerFailure player={player} missing={hasWords(words.melody) ? missing : null} />
          <StateLine {...{ player, loopAgain }} />
          <div className={NOT_WHILE_TIMING}>
            <PassageWaveform
              player={player}
              title={melody.title}
              id={melody.id}
              peaks={inFull?.peaks ?? null}
              isLoading={inFull === null && missing === null}
              isMissing={missing !== null}
            />
          </div>
          <div className="grid items-center gap-3 lg:grid-cols-[1fr_auto_1fr]">
            <Transport
              {...{ player, playButton, isOpen }}
              settingsId={SETTINGS_ID}
              onOpen={() => setIsOpen(!isOpen)}
            />
            <div className={clsx('lg:order-1', NOT_WHILE_TIMING)}>
              <LoopButtons player={player} {...loop} />
            </div>
            <PractiseHere
              melodyId={melody.id}
              className={clsx('lg:order-3 lg:justify-self-end', NOT_WHILE_TIMING)}
            />
          </div>
        </div>
      </footer>
    </>
  );
}

/** Goes to the line that the address names once its time is known, unless it plays by then. */
function useStartAtLine(player: PracticePlayer | null, passages: readonly Passage[], line: number | null) {
  const hasBegun = useRef<PracticePlayer | null>(null);
  useEffect(() => {
    const start = line === null ? null : startOf(passages, line);
    if (!player || start === null || hasBegun.current === player) return;
    hasBegun.current = player;
    if (player.snapshot().phase === 'still') player.goTo(start);
  }, [player, passages, line]);
}

/** Invisible work during playback: keeps the screen awake, and announces changes. */
function Attendance({ player }: { player: PracticePlayer }) {
  const snapshot = usePlayerSnapshot(player);
  useScreenAwake(snapshot.phase === 'playing' || snapshot.phase === 'gap');
  return <Announce text={announcementOf(snapshot)} />;
}
