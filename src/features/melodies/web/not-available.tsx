import { type RefObject, useEffect, useRef } from 'react';
import { AUDIO_NOT_AVAILABLE } from '../../../platform/web/audio-ui/playback/use-playback.ts';

type NotAvailableProps = {
  /** Cannot be pressed meanwhile, and so cannot have focus. */
  play: RefObject<HTMLButtonElement | null>;
  onTryAgain: () => void;
};

/** In the card of a melody that could not be played. Who pressed play goes on from here, and back to play. */
export function NotAvailable({ play, onTryAgain }: NotAvailableProps) {
  const again = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const button = play.current;
    const isFocusLost = () => document.activeElement === document.body || document.activeElement === button;
    if (isFocusLost()) again.current?.focus({ preventScroll: true });
    return () => {
      if (isFocusLost()) button?.focus({ preventScroll: true });
    };
  }, [play]);
  return (
    <div className="mt-3 text-sm">
      <p role="alert" className="font-semibold text-danger">
        {AUDIO_NOT_AVAILABLE}
      </p>
      <button ref={again} type="button" className="link min-h-11" onClick={onTryAgain}>
        Try again
      </button>
    </div>
  );
}
