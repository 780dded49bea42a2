import { AudioLines, Play } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'wouter';
import { Button } from '#web/ui/button.tsx';
import { langOf } from '#features/lyrics/web/tibetan.ts';
import type { HeardMark } from './mark-player.ts';

/** Names what is playing, for screen readers; empty if nothing is. */
export function soundsAloud({ sounds, line }: HeardMark, isOwn: boolean) {
  if (sounds === 'recording') return recordingName(isOwn);
  if (sounds === 'voice') return VOICE;
  return sounds === 'melody' && line ? `Melody: ${line.words}` : '';
}

const recordingName = (isOwn: boolean) => (isOwn ? 'Your recording' : 'The recording');
const VOICE = 'Voice comment';

type MarkSoundsProps = {
  heard: HeardMark;
  melodyId: number | null;
  /** Whether the recording is the reader's own. */
  isOwn: boolean;
  onHearVoice: (event: MouseEvent) => void;
  onHearMelody: (event: MouseEvent) => void;
};

/**
 * Shows what is playing, below the mark that was pressed, with a button to continue if the browser blocked playback.
 */
export function MarkSounds({
  heard: { sounds, line, refused },
  melodyId,
  isOwn,
  onHearVoice,
  onHearMelody,
}: MarkSoundsProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-5 px-2 empty:hidden">
      {sounds === 'recording' && <Sounding>{recordingName(isOwn)}</Sounding>}
      {sounds === 'voice' && <Sounding>{VOICE}</Sounding>}
      {sounds === 'line on its way' && <Sounding>The melody is next…</Sounding>}
      {sounds === 'melody' && line && (
        <Sounding>
          Melody: <span {...langOf(line.words)}>{line.words}</span>
        </Sounding>
      )}
      {refused === 'voice' && (
        <Button icon={<Play />} onClick={onHearVoice} className="my-1">
          Play voice comment
        </Button>
      )}
      {refused === 'melody' && line && (
        <Button icon={<Play />} onClick={onHearMelody} className="my-1">
          Play the melody
        </Button>
      )}
      {/* Hidden before its turn: it would shift the content below while the passage plays. */}
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

const Sounding = ({ children }: { children: ReactNode }) => (
  <p className="flex min-h-11 min-w-0 items-center gap-2 text-sm font-semibold text-action">
    <AudioLines className="size-4 shrink-0" />
    <span className="min-w-0 break-words">{children}</span>
  </p>
);
