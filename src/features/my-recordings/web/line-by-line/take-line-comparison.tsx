import { useQuery } from '@tanstack/react-query';
import { Mic } from 'lucide-react';
import { useId, useState } from 'react';
import { chooseSoundUrl } from '#web/audio-ui/playback/media-url.ts';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { useBlobUrl } from '#web/audio-ui/upload/chosen-audio-player.tsx';
import { usePageSettings } from '#web/api/page-data.ts';
import { createApiQuery } from '#web/api/query-client.ts';
import { Button } from '#web/ui/button.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { useStore } from '#web/use-store.ts';
import type { MelodyDetail } from '#features/melodies/contract.ts';
import { useRefetchOnReconnect } from '#web/api/use-refetch-on-reconnect.ts';
import { LineByLineList, type LineVoice } from './line-by-line-list.tsx';
import {
  MAX_DECODED_SECONDS,
  getSmallestCopyUrl,
} from '#features/line-matching/web/on-device/decode-sound.ts';
import {
  type LineSearchFailure,
  type DeviceLines,
  type LineSearchPercentStore as Percent,
  useDeviceLines,
} from '#features/line-matching/web/on-device/use-device-lines.ts';
import { getPlayableLines, type MelodyLine, toPassagesByLine } from '#features/line-matching/web/passages.ts';
import { PitchContours } from './pitch-contours.tsx';

const FINE_TO_SEND = 'Your recording is fine to send.';
const LINES_NOT_FOUND = `We couldn’t find the melody’s lines in your recording. ${FINE_TO_SEND}`;
const TOO_LONG = `Recordings and melodies longer than ten minutes can’t be compared line by line. ${FINE_TO_SEND}`;
const failureMessages: Record<LineSearchFailure, string> = {
  unreachable: `We couldn’t load the melody to compare the lines. ${FINE_TO_SEND}`,
  unreadable: `This browser can’t read the audio, so the lines can’t be compared. ${FINE_TO_SEND}`,
  'no-worker': `This browser can’t compare the lines. ${FINE_TO_SEND}`,
  fault: `Something went wrong while we compared the lines. ${FINE_TO_SEND}`,
};

type TakeLineComparisonProps = {
  melodyId: number;
  take: Pick<ChosenAudio, 'blob' | 'seconds' | 'isSetAside'>;
  /** Whether the search must wait, for example while the take is being sent. */
  isHeld: boolean;
  /** Whether another take is being recorded. */
  isRecording: boolean;
  /** Opens the recorder. `from` is where the line begins in the melody, in seconds. */
  onRecordAgain: (from: number) => void;
};

/**
 * Compares an unsent take with the melody, line by line. Renders nothing until the melody has loaded, or if
 * it has no playable lines.
 */
export default function TakeLineComparison({ melodyId, ...props }: TakeLineComparisonProps) {
  const melody = useQuery(createApiQuery('GET /api/melodies/{id}', { params: { id: melodyId } }));
  useRefetchOnReconnect(melody);
  const turn = useSoundVersion(props.take.blob);
  const lines = melody.data ? getPlayableLines(melody.data) : [];
  const { audioUrl = null, duration = null } = melody.data ?? {};
  if (!melody.data || audioUrl === null || lines.length === 0) return null;
  const isLong = Math.max(duration ?? 0, props.take.seconds ?? 0) > MAX_DECODED_SECONDS;
  return isLong ? (
    <StatusMessage>{TOO_LONG}</StatusMessage>
  ) : (
    <FoundTakeLines key={turn} {...props} {...{ lines }} melody={{ ...melody.data, audioUrl }} />
  );
}

/** Returns a number that changes whenever the blob does. */
function useSoundVersion(sound: Blob) {
  const [seen, setSeen] = useState({ sound, turn: 0 });
  if (seen.sound === sound) return seen.turn;
  const turn = seen.turn + 1;
  setSeen({ sound, turn });
  return turn;
}

type FoundTakeLinesProps = Omit<TakeLineComparisonProps, 'melodyId'> & {
  melody: MelodyDetail & { audioUrl: string };
  lines: readonly MelodyLine[];
};

function FoundTakeLines({ melody, lines, take, isHeld, isRecording, onRecordAgain }: FoundTakeLinesProps) {
  const { teacherTitle } = usePageSettings();
  const { audioUrl: name, audioCopies: copies, timings } = melody;
  const [addresses] = useState(() => ({
    heard: chooseSoundUrl({ name, copies }),
    smallest: getSmallestCopyUrl({ name, copies }),
  }));
  const {
    lines: found,
    progress,
    tryAgain,
  } = useDeviceLines({ sound: addresses.smallest, starts: timings ?? [] }, take.blob, isHeld || isRecording);
  const own = useBlobUrl(take.blob);
  const [from, setFrom] = useState<MelodyLine | null>(null);
  const heading = useId();
  const { isSetAside = false } = take;
  const again = isSetAside ? from : null;

  if (found.state === 'unsure') return isSetAside ? null : <StatusMessage>{LINES_NOT_FOUND}</StatusMessage>;
  if (found.state === 'failed')
    return isSetAside ? null : (
      <StatusMessage onTryAgain={canRetry(found.failure) ? tryAgain : null}>
        {failureMessages[found.failure]}
      </StatusMessage>
    );
  if (own === null || (isSetAside && again === null)) return null;

  const hers: LineVoice = { name: teacherTitle, src: addresses.heard, passages: toPassagesByLine(lines) };
  const mine: LineVoice = {
    name: 'Mine',
    src: own,
    passages: found.state === 'ready' ? found.passages : new Map(),
    absent: found.state === 'ready' ? 'not found' : 'listening…',
  };
  return (
    <section aria-labelledby={heading} hidden={isRecording} className="mt-6">
      <div className="mb-2">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h2 id={heading} className="text-lg">
            {again ? `Record again from line ${again.index + 1}` : 'Compare line by line'}
          </h2>
          {!again && <FoundCount {...{ found, progress }} of={lines} />}
        </div>
        {!again && (
          <div className="h-1.5">{found.state === 'working' && <SearchProgress {...{ progress }} />}</div>
        )}
      </div>
      <LineByLineList
        lines={again ? [again] : lines}
        voices={again ? [hers] : [hers, mine]}
        playsInTurnClosed
      >
        {again
          ? undefined
          : (line, hear) => {
              const shown = lines.find((each) => each.line === line)!;
              const sung = mine.passages.get(line);
              return (
                <>
                  {sung && (
                    <PitchContours
                      number={shown.index + 1}
                      words={shown.words}
                      melody={{ sound: addresses.smallest, passage: shown }}
                      take={{ sound: take.blob, passage: sung }}
                    />
                  )}
                  <Button
                    icon={<Mic />}
                    onClick={() => {
                      setFrom(shown);
                      hear(hers);
                      onRecordAgain(shown.start);
                    }}
                  >
                    Record again from here
                  </Button>
                </>
              );
            }}
      </LineByLineList>
    </section>
  );
}

const canRetry = (why: LineSearchFailure) => why === 'unreachable' || why === 'fault';

type FoundCountProps = { found: DeviceLines; progress: Percent; of: readonly MelodyLine[] };

function FoundCount({ found, progress, of }: FoundCountProps) {
  const percent = useStore(progress);
  if (found.state !== 'ready')
    return (
      <p aria-hidden="true" className="text-sm text-soft tabular-nums">
        Listening… {percent}%
      </p>
    );
  const count = of.filter(({ line }) => found.passages.has(line)).length;
  return (
    <p role="status" className="text-sm text-soft">
      {count} of {of.length} lines found
    </p>
  );
}

/**
 * Progress bar of the search. Its container keeps its height when the bar disappears, so that the list below
 * does not move.
 */
const SearchProgress = ({ progress }: { progress: Percent }) => (
  <ProgressBar value={useStore(progress)} max={100} aria-label="Finding the lines" className="h-1.5" />
);

const StatusMessage = ({
  children,
  onTryAgain = null,
}: {
  children: string;
  onTryAgain?: (() => void) | null;
}) => (
  <div className="mt-6">
    <p role="status" className="text-sm text-soft">
      {children}
    </p>
    {onTryAgain && (
      <Button className="mt-2" onClick={onTryAgain}>
        Try again
      </Button>
    )}
  </div>
);
