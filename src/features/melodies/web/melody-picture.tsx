import { type Ref, useEffect, useState } from 'react';
import { getLevelTone } from '#features/people/levels/web/level-badge.tsx';
import { getImageUrl } from '#web/audio-ui/playback/media-url.ts';
import { DefaultThumbnail } from '#web/ui/default-thumbnail.tsx';
import type { MelodySummary } from '../contract.ts';

type MelodyPictureProps = {
  melody: Pick<MelodySummary, 'thumbnailUrl' | 'transmissionLevel'>;
  /** Whether to load it now. */
  isNear?: boolean;
  isFirst?: boolean;
  ref?: Ref<HTMLImageElement>;
};

/** A melody's picture, or a lotus if it has none or it can't be loaded. Fills its container, which must be relative. */
export function MelodyPicture({ melody, isNear = true, isFirst = false, ref }: MelodyPictureProps) {
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    if (!hasFailed) return;
    // Without a connection a picture fails that can be loaded later.
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

/** On a server-rendered page, a picture may fail before the error handler is attached. */
const hasFailedAlready = ({ src, complete, naturalWidth }: HTMLImageElement) =>
  src !== '' && complete && naturalWidth === 0;
