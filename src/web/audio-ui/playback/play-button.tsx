import { clsx } from 'clsx';
import { Pause, Play } from 'lucide-react';
import type { Ref } from 'react';
import { Spinner } from '#web/ui/spinner.tsx';
import type { PlaybackState } from './use-playback.ts';

type PlayButtonProps = {
  state: PlaybackState;
  title: string;
  onPress: () => void;
  className?: string;
  ref?: Ref<HTMLButtonElement>;
};

/** A round button: play, pause, or a spinner while the audio is loading. */
export function PlayButton({ state, title, onPress, className, ref }: PlayButtonProps) {
  const isOn = state === 'playing' || state === 'loading';
  return (
    <button
      ref={ref}
      type="button"
      aria-label={`${isOn ? 'Pause' : 'Play'} ${title}`}
      aria-busy={state === 'loading' || undefined}
      disabled={state === 'failed'}
      onClick={onPress}
      className={clsx(
        'grid size-12 shrink-0 place-items-center rounded-full bg-action text-on-action enabled:hover:bg-action-hover disabled:opacity-50 forced-colors:border [&_svg]:size-6',
        className,
      )}
    >
      {state === 'loading' ? (
        <Spinner />
      ) : state === 'playing' ? (
        <Pause />
      ) : (
        <Play className="translate-x-0.5" />
      )}
    </button>
  );
}
