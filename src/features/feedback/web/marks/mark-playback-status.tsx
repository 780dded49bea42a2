import { AudioLines, Play } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'wouter';
import { Button } from '#web/ui/button.tsx';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import type { MarkPlayback } from './mark-player.ts';

/** Returns what is playing, for screen readers; empty if nothing is. */
export function describeMarkPlayback({ sounds, line }: MarkPlayback, isOwn: boolean) {
  if (sounds === 'recording') return getRecordingName(isOwn);
  if (sounds === 'voice') return VOICE_NAME;
  return sounds === 'melody' && line ? `Melody: ${line.words}` : '';
}

const getRecordingName = (isOwn: boolean) => (isOwn ? 'Your recording' : 'The recording');
const VOICE_NAME = 'Voice comment';

type MarkPlaybackStatusProps = {
  heard: MarkPlayback;
  melodyId: number | null;
  /** Whether the recording is the viewer's own. */
  isOwn: boolean;
  onPlayVoice: (event: MouseEvent) => void;
  onPlayMelody: (event: MouseEvent) => void;
};

/**
 * Shows what is playing, below the mark that was pressed, with a button to continue if the browser blocked
 * playback, and a link to practise the mark's line.
 */
export function MarkPlaybackStatus({
  heard: { sounds, line, blocked },
  melodyId,
  isOwn,
  onPlayVoice,
  onPlayMelody,
}: MarkPlaybackStatusProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-5 px-2 empty:hidden">
      {sounds === 'recording' && <PlayingLabel>{getRecordingName(isOwn)}</PlayingLabel>}
      {sounds === 'voice' && <PlayingLabel>{VOICE_NAME}</PlayingLabel>}
      {sounds === 'line on its way' && <PlayingLabel>The melody is next…</PlayingLabel>}
      {sounds === 'melody' && line && (
        <PlayingLabel>
          Melody: <span {...getLangProps(line.words)}>{line.words}</span>
        </PlayingLabel>
      )}
      {blocked === 'voice' && (
        <Button icon={<Play />} onClick={onPlayVoice} className="my-1">
          Play voice comment
        </Button>
      )}
      {blocked === 'melody' && line && (
        <Button icon={<Play />} onClick={onPlayMelody} className="my-1">
          Play the melody
        </Button>
      )}
      {/* Hidden during the recording or voice comment, because the link would shift the content below. */}
      {line && melodyId !== null && sounds !== 'recording' && sounds !== 'voice' && (
        <Link
          href={`/melodies?play=${melodyId}&at=${Number(line.start.toFixed(3))}`}
          className="link inline-flex min-h-11 items-center text-sm"
        >
          Practise this line
        </Link>
      )}
    </div>
  );
}

const PlayingLabel = ({ children }: { children: ReactNode }) => (
  <p className="flex min-h-11 min-w-0 items-center gap-2 text-sm font-semibold text-action">
    <AudioLines className="size-4 shrink-0" />
    <span className="min-w-0 break-words">{children}</span>
  </p>
);
