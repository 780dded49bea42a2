import { Video } from 'lucide-react';
import { buttonLook } from '../../../../platform/web/ui/button.tsx';
import type { Melody } from '../../contract.ts';
import { MelodyText } from './melody-text.tsx';
import { MelodyHeading, PlayerFrame } from './player-frame.tsx';
import { PractiseHere } from './practise-here.tsx';

type SilentScreenProps = { melodyId: number; melody: Melody; onClose: () => void };

/** A melody of words, or of a video elsewhere. */
export function SilentScreen({ melodyId, melody, onClose }: SilentScreenProps) {
  const { title, transmissionLevel, vimeoUrl } = melody;
  return (
    <PlayerFrame
      {...{ melodyId, onClose }}
      heading={<MelodyHeading title={title} level={transmissionLevel} />}
    >
      <MelodyText melody={melody} clock={null} className="min-h-44" />
      <footer className="shrink-0 border-t border-line bg-surface px-5 py-4">
        <div className="mx-auto flex max-w-3xl flex-wrap items-center justify-center gap-x-5 gap-y-3">
          <p className="text-soft">This melody has no sound of its own here.</p>
          {vimeoUrl && (
            <a
              href={vimeoUrl}
              target="_blank"
              rel="noopener noreferrer"
              aria-label={`Video of ${title} (opens in a new tab)`}
              className={buttonLook('secondary')}
            >
              <Video aria-hidden="true" />
              Video
            </a>
          )}
          <PractiseHere melodyId={melodyId} />
        </div>
      </footer>
    </PlayerFrame>
  );
}
