import { Video } from 'lucide-react';
import { getButtonClass } from '#web/ui/button.tsx';
import type { Melody } from '../contract.ts';

/** Link to a melody's video. Renders nothing if there is no video. */
export function VideoLink({ title, vimeoUrl }: Pick<Melody, 'title' | 'vimeoUrl'>) {
  if (!vimeoUrl) return null;
  return (
    <a
      href={vimeoUrl}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={`Video of ${title} (opens in a new tab)`}
      className={getButtonClass('secondary')}
    >
      <Video />
      Video
    </a>
  );
}
