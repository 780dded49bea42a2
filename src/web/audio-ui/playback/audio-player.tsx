import { clsx } from 'clsx';
import { type ReactNode, useEffect, useState } from 'react';
import { formatDuration as asDuration } from '#web/ui/format-duration.ts';
import { decodePeaks } from './bars.ts';
import {
  AUDIO_NOT_AVAILABLE_MESSAGE,
  togglePlayback,
  usePlayback,
  usePlaybackPositionSeconds,
} from './use-playback.ts';
import type { MarkPin } from './mark-pins.tsx';
import { PlayButton } from './play-button.tsx';
import { ListeningSpeedSelect, useListeningSpeed, useApplyPlaybackSpeed } from './listening-speed.tsx';
import type { SoundFile } from '#web/audio/sound-choice.ts';
import { useSoundUrl } from './use-sound-url.ts';
import { Waveform } from './waveform.tsx';

export type AudioPlayerProps = {
  /** An audio file on the server, or the URL of one on this device. */
  sound: SoundFile | string;
  /** Accessible name of the controls. */
  title: string;
  /** In seconds; null if unknown. The player then uses the browser's value. */
  duration: number | null;
  /** Waveform as base64 of 200 bytes; null shows a placeholder. */
  peaks: string | null;
  /** Seeds the placeholder waveform if there are no peaks. */
  id: string | number;
  /** Marks to show in the waveform. */
  pins?: readonly MarkPin[] | undefined;
  onPin?: ((index: number) => void) | undefined;
  /** Whether the user can change the speed; the pitch is preserved. */
  hasSpeed?: boolean;
  /** Shown beside the play button. If given, the waveform is above the buttons, tall and full-width. */
  controls?: ReactNode;
  /** Shown between the waveform and the controls, at the waveform's width. It may draw behind and over the waveform. */
  beneath?: ReactNode;
  /**
   * Called with the start and end, in seconds, of the passage that the user selects by dragging over the
   * waveform.
   */
  onStretch?: ((from: number, to: number) => void) | undefined;
  /** Called with the audio element, and with null when it is unmounted. Must be a stable function. */
  onAudio?: ((audio: HTMLAudioElement | null) => void) | undefined;
  /**
   * Message shown instead of the error and “Try again” if audio on this device can't be played, because trying
   * again wouldn't help.
   */
  failureNote?: string | undefined;
};

/** A compact player for a recording or a reply. Only one player on the page plays at a time. */
export function AudioPlayer(props: AudioPlayerProps) {
  const { sound, title, duration, peaks, id, pins, onPin, hasSpeed = false, onAudio, failureNote } = props;
  const { controls, beneath, onStretch } = props;
  const { audio, audioRef, state } = usePlayback();
  const address = useSoundUrl(sound, audio);
  const seconds = useDuration(audio, duration);
  const speed = useListeningSpeed();
  useApplyPlaybackSpeed(audio, hasSpeed ? speed : 1);
  useEffect(() => {
    onAudio?.(audio);
    return () => onAudio?.(null);
  }, [audio, onAudio]);
  const hasFailed = state === 'failed';
  const button = <PlayButton state={state} title={title} onPress={() => audio && togglePlayback(audio)} />;
  const waveform = (
    <Waveform
      {...{ audio, title, peaks, id, seconds, pins, onPin, onStretch }}
      isTall={controls !== undefined}
      isDisabled={hasFailed}
    />
  );
  return (
    <div role="group" aria-label={title} className="min-w-0">
      <audio ref={audioRef} src={address} preload="none" />
      {controls ? (
        <>
          <div className="relative isolate">
            {waveform}
            {beneath}
          </div>
          <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2">
            {button}
            <PlaybackTime audio={audio} seconds={seconds} />
            {hasSpeed && <ListeningSpeedSelect title={title} />}
            {controls}
          </div>
        </>
      ) : (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 sm:gap-x-4">
          {button}
          <div className="min-w-0 grow basis-24 sm:flex sm:items-center sm:gap-4">
            <div className="min-w-0 grow">{waveform}</div>
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              <PlaybackTime audio={audio} seconds={seconds} />
              {hasSpeed && <ListeningSpeedSelect title={title} />}
            </div>
          </div>
        </div>
      )}
      {decodePeaks(peaks) === null && !hasFailed && (
        <p className="mt-1 text-xs text-soft">The waveform of this recording is not available.</p>
      )}
      {hasFailed && failureNote && (
        <p role="status" className="mt-2 text-sm text-saffron-ink">
          {failureNote}
        </p>
      )}
      {hasFailed && !failureNote && (
        <div className="mt-2 text-sm">
          <p role="alert" className="font-semibold text-danger">
            {AUDIO_NOT_AVAILABLE_MESSAGE}
          </p>
          <button type="button" className="link min-h-11" onClick={() => audio?.load()}>
            Try again
          </button>
        </div>
      )}
    </div>
  );
}

type PlaybackTimeProps = { audio: HTMLAudioElement | null; seconds: number; className?: string };

export function PlaybackTime({ audio, seconds, className }: PlaybackTimeProps) {
  const played = Math.min(usePlaybackPositionSeconds(audio), Math.floor(seconds));
  return (
    <p className={clsx('text-sm whitespace-nowrap tabular-nums', className)}>
      {asDuration(played)} <span className="text-soft">/ {seconds > 0 ? asDuration(seconds) : '–:––'}</span>
    </p>
  );
}

/**
 * Returns the duration in seconds; 0 until it is known. The browser reports a wrong duration for some files,
 * so its value is used only if `known` is null.
 */
function useDuration(audio: HTMLAudioElement | null, known: number | null) {
  const [found, setFound] = useState(0);
  useEffect(() => {
    if (!audio || known !== null) return;
    const look = () => setFound(Number.isFinite(audio.duration) ? audio.duration : 0);
    audio.addEventListener('durationchange', look);
    return () => audio.removeEventListener('durationchange', look);
  }, [audio, known]);
  return known ?? found;
}
