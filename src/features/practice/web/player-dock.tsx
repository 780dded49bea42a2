import { clsx } from 'clsx';
import { Mic } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import { createLazyComponent } from '#web/navigation/lazy-component.ts';
import type { PracticePlayer } from './engine/practice-player.ts';
import {
  moveViewTo,
  type WaveformView,
  createViewAroundLoop,
  getWholeView,
  isWholeView,
} from './engine/waveform-view.ts';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { MelodyDetail, MelodySummary } from '#features/melodies/contract.ts';
import type { LoopedLines } from '#features/lyrics/web/line-loops.ts';
import { DockFrame } from './dock-frame.tsx';
import { DockSettings } from './dock-settings.tsx';
import { LoopButtons } from './loop-buttons.tsx';
import { MelodyWaveform } from './melody-waveform.tsx';
import type { RefetchableResource } from '#web/ui/load-failure.tsx';
import { PlayerFailure } from './player-failure.tsx';
import { RepeatsChip, RepeatSettings } from './repeats.tsx';
import { SingChoice } from './sing/sing-choice.tsx';
import { SpeedControl, SpeedSettings } from './speed.tsx';
import { PlaybackStatus } from './playback-status.tsx';
import { TransportControls } from './transport-controls.tsx';
import { usePlayerSnapshot, usePlayerPosition } from './use-practice-player.ts';

export type DockPanelName = 'speed' | 'repeats' | 'sing' | 'singing';

/** Actions on the loop. Each moves focus back to Play. */
export type LoopActions = { setA: () => void; setB: () => void; clear: () => void; loopAgain: () => void };

type PlayerDockProps = {
  player: PracticePlayer;
  playButton: RefObject<HTMLButtonElement | null>;
  melody: MelodySummary;
  /** Null until loaded. */
  details: MelodyDetail | null;
  missing: RefetchableResource | null;
  /** Set if the details failed to load and no other message reports this failure. */
  unreportedFailure: RefetchableResource | null;
  looped: LoopedLines | null;
  steps: LoopActions;
  settings: DockPanelName | null;
  onSettings: (settings: DockPanelName | null) => void;
  canSing: boolean;
  /** The audio element that plays the melody. */
  sound: HTMLMediaElement | null;
};

/** Loaded lazily, with the recorder that it imports, because most visits to the player don't need them. */
const SingAndComparePanel = createLazyComponent(() => import('./sing/sing-and-compare-panel.tsx'));

const SETTINGS_ID = 'dock-settings';

/** The controls, within reach of the thumb: waveform and times, playback, loop and singing. */
export function PlayerDock(props: PlayerDockProps) {
  const {
    player,
    playButton,
    melody,
    details,
    missing,
    unreportedFailure,
    looped,
    steps,
    settings,
    onSettings,
    canSing,
  } = props;
  const [view, setView, zoomToLoop] = useWaveformView(player);
  const { length, loop } = usePlayerSnapshot(player);
  const isZoomed = !isWholeView(view, length);
  const isSinging = settings === 'sing' || settings === 'singing';
  const close = () => {
    onSettings(null);
    playButton.current?.focus();
  };
  const opener = (which: DockPanelName) => ({
    player,
    settingsId: SETTINGS_ID,
    isOpen: settings === which,
    onOpen: () => (settings === which ? close() : onSettings(which)),
  });
  return (
    <DockFrame>
      <PlayerFailure player={player} missing={unreportedFailure} />
      {settings === 'speed' && (
        <DockSettings id={SETTINGS_ID} label="Speed and volume" onClose={close}>
          <SpeedSettings player={player} />
        </DockSettings>
      )}
      {settings === 'repeats' && (
        <DockSettings id={SETTINGS_ID} label="Repeats and pauses" onClose={close}>
          <RepeatSettings player={player} isApproximate={details?.seeksExactly === false} />
        </DockSettings>
      )}
      {settings === 'sing' && (
        <DockSettings id={SETTINGS_ID} label="Ways to record" isWide onClose={close}>
          <SingChoice melodyId={melody.id} onForMe={() => onSettings('singing')} />
        </DockSettings>
      )}
      {settings === 'singing' && props.sound && (
        <DockSettings id={SETTINGS_ID} label="Sing and compare" isWide onClose={close}>
          <LazyBoundary
            part={SingAndComparePanel}
            fallback={<Skeleton className="h-19 w-full" />}
            failure="The recorder could not be loaded."
            {...{ player, melody, looped }}
            sound={props.sound}
          />
        </DockSettings>
      )}
      {settings === null && (
        <div className="grid grid-cols-[minmax(0,1fr)]">
          <MelodyWaveform
            player={player}
            title={melody.title}
            id={melody.id}
            peaks={details?.peaks ?? null}
            isLoading={details === null && missing === null}
            isMissing={missing !== null}
            view={view}
            onView={setView}
          />
          <PlaybackStatus {...{ player, looped }} loopAgain={steps.loopAgain} />
        </div>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1 desk:grid-cols-[1fr_auto_1fr] desk:items-center desk:gap-6 tiny:order-first">
        <div className="flex items-center justify-between gap-1 min-[24rem]:gap-3 desk:contents">
          <div className="contents desk:flex desk:gap-3">
            <SpeedControl {...opener('speed')} />
            <RepeatsChip {...opener('repeats')} />
          </div>
          <TransportControls {...{ player, playButton }} />
        </div>
        <div
          className={clsx(
            'flex gap-2 desk:gap-3 desk:justify-self-end',
            settings === 'singing' && 'max-desk:hidden',
          )}
        >
          <LoopButtons
            player={player}
            {...steps}
            isZoomed={isZoomed}
            onZoom={() =>
              loop.kind === 'active' && !isZoomed ? zoomToLoop() : setView(getWholeView(length))
            }
          />
          {canSing && (
            <Button
              icon={<Mic />}
              aria-expanded={isSinging}
              aria-controls={isSinging ? SETTINGS_ID : undefined}
              onClick={() => (isSinging ? close() : onSettings('sing'))}
              className="min-h-11! border-action! px-3! text-action!"
            >
              Sing
            </Button>
          )}
        </div>
      </div>
    </DockFrame>
  );
}

/**
 * Returns the part of the melody that the waveform shows (the whole melody, or a part that follows playback),
 * with functions to change it.
 */
function useWaveformView(player: PracticePlayer) {
  const { length, loop, phase } = usePlayerSnapshot(player);
  const [chosen, setChosen] = useState<WaveformView | null>(null);
  // Re-renders every second, so that the view follows the position.
  usePlayerPosition(player);
  const view = chosen && phase === 'playing' ? moveViewTo(chosen, player.position(), length) : chosen;
  if (view !== chosen) setChosen(view);
  const choose = (next: WaveformView) => setChosen(isWholeView(next, length) ? null : next);
  const zoomToLoop = () => loop.kind === 'active' && choose(createViewAroundLoop(loop, length));
  return [view ?? getWholeView(length), choose, zoomToLoop] as const;
}
