import { type Ref, useEffect, useState } from 'react';
import { getLevelTone } from '#features/people/levels/web/level-badge.tsx';
import { getImageUrl } from '#web/audio-ui/playback/media-url.ts';
import { DefaultThumbnail } from '#web/ui/default-thumbnail.tsx';
import type { MelodySummary } from '../contract.ts';

type MelodyPictureProps = {
  melody: Pick<MelodySummary, 'thumbnailUrl' | 'transmissionLevel'>;
  /** Whether to load the picture now. */
  isNear?: boolean;
  isFirst?: boolean;
  ref?: Ref<HTMLImageElement>;
};

/**
 * Shows a melody's picture, or a lotus if there is none or it can't be loaded. Fills its container, which must
 * be positioned.
 */
export function MelodyPicture({ melody, isNear = true, isFirst = false, ref }: MelodyPictureProps) {
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    if (!hasFailed) return;
    // The picture may have failed only because the device was offline, so it is loaded again when the device
    // is online.
    const tryAgain = () => setHasFailed(false);
    addEventListener('online', tryAgain);
    return () => removeEventListener('online', tryAgain);
  }, [hasFailed]);
  if (melody.thumbnailUrl === null || hasFailed)
    return <DefaultThumbnail tone={getLevelTone(melody.transmissionLevel)} className="absolute inset-0" />;
  return (
    <img
      ref={(element) => {
        if (typeof ref === 'function') ref(element);
        else if (ref) ref.current = element;
        if (element && hasFailedAlready(element)) setHasFailed(true);
      }}
      {...(isNear && { src: getImageUrl(melody.thumbnailUrl) })}
      alt=""
      width={640}
      height={360}
      fetchPriority={isFirst ? 'high' : 'auto'}
      decoding="async"
      onError={() => setHasFailed(true)}
      className="absolute inset-0 size-full bg-sunk object-cover dark:brightness-75"
    />
  );
}

/**
 * Returns whether a picture has already failed to load. On a server-rendered page, this may happen before the
 * error handler is attached.
 */
const hasFailedAlready = ({ src, complete, naturalWidth }: HTMLImageElement) =>
  src !== '' && complete && naturalWidth === 0;
