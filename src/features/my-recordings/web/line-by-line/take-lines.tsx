import { useQuery } from '@tanstack/react-query';
import { Mic } from 'lucide-react';
import { useId, useState } from 'react';
import { soundUrl } from '#web/audio-ui/playback/media-url.ts';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { useBlobAddress } from '#web/audio-ui/upload/chosen-player.tsx';
import { useSettings } from '#web/api/page-data.ts';
import { apiQuery } from '#web/api/query-client.ts';
import { Button } from '#web/ui/button.tsx';
import { Progress } from '#web/ui/progress.tsx';
import { useStore } from '#web/use-store.ts';
import type { MelodyDetail } from '#features/melodies/contract.ts';
import { useRefetchOnline } from '#web/api/use-refetch-online.ts';
import { LineByLine, type Voice } from './line-by-line.tsx';
import { LONGEST_SECONDS, smallestOf } from '#features/line-matching/web/on-device/decode-sound.ts';
import {
  type Failure,
  type LinesHere,
  type Progress as Percent,
  useLinesHere,
} from '#features/line-matching/web/on-device/use-lines-here.ts';
import { linesOfMelody, type MelodyLine, passagesByLine } from '#features/line-matching/web/passages.ts';
import { PitchPicture } from './pitch-picture.tsx';

const WHOLE = 'Your recording is fine to send.';
const UNSURE = `We couldn’t find the melody’s lines in your recording. ${WHOLE}`;
const TOO_LONG = `Only recordings of up to ten minutes can be compared line by line. ${WHOLE}`;
const failures: Record<Failure, string> = {
  unreachable: `We couldn’t load the melody to compare the lines. ${WHOLE}`,
  unreadable: `This browser can’t read the audio, so the lines can’t be compared. ${WHOLE}`,
  'no-worker': `This browser can’t compare the lines. ${WHOLE}`,
  fault: `Something went wrong while we compared the lines. ${WHOLE}`,
};

type TakeLinesProps = {
  melodyId: number;
  take: Pick<ChosenAudio, 'blob' | 'seconds' | 'isSetAside'>;
  /** The page is busy, for example sending. */
  isHeld: boolean;
  /** Another take is being recorded. */
  isRecording: boolean;
  /** Opens the recorder. `from` is where the line begins in the melody, in seconds. */
  onRecordAgain: (from: number) => void;
};

/** A take before it is sent, line by line beside the melody. Renders nothing if the melody's lines can't be heard. */
export default function TakeLines({ melodyId, ...props }: TakeLinesProps) {
  const melody = useQuery(apiQuery('GET /api/melodies/{id}', { params: { id: melodyId } }));
  useRefetchOnline(melody);
  const turn = useTurn(props.take.blob);
  const lines = melody.data ? linesOfMelody(melody.data) : [];
  const { audioUrl = null, duration = null } = melody.data ?? {};
  if (!melody.data || audioUrl === null || lines.length === 0) return null;
  const isLong = Math.max(duration ?? 0, props.take.seconds ?? 0) > LONGEST_SECONDS;
  return isLong ? (
    <Sentence>{TOO_LONG}</Sentence>
  ) : (
    <Listened key={turn} {...props} {...{ lines }} melody={{ ...melody.data, audioUrl }} />
  );
}

/** Returns a number that changes with the sound. */
function useTurn(sound: Blob) {
  const [seen, setSeen] = useState({ sound, turn: 0 });
  if (seen.sound === sound) return seen.turn;
  const turn = seen.turn + 1;
  setSeen({ sound, turn });
  return turn;
}

type ListenedProps = Omit<TakeLinesProps, 'melodyId'> & {
  melody: MelodyDetail & { audioUrl: string };
  lines: readonly MelodyLine[];
};

function Listened({ melody, lines, take, isHeld, isRecording, onRecordAgain }: ListenedProps) {
  const { teacherTitle } = useSettings();
  const { audioUrl: name, audioCopies: copies, timings } = melody;
  const [addresses] = useState(() => ({
    heard: soundUrl({ name, copies }),
    smallest: smallestOf({ name, copies }),
  }));
  const {
    lines: found,
    progress,
    tryAgain,
  } = useLinesHere({ sound: addresses.smallest, starts: timings ?? [] }, take.blob, isHeld || isRecording);
  const own = useBlobAddress(take.blob);
  const [from, setFrom] = useState<MelodyLine | null>(null);
  const heading = useId();
  const { isSetAside = false } = take;
  const again = isSetAside ? from : null;

  if (found.state === 'unsure') return isSetAside ? null : <Sentence>{UNSURE}</Sentence>;
  if (found.state === 'failed')
    return isSetAside ? null : (
      <Sentence onTryAgain={mayHelp(found.why) ? tryAgain : null}>{failures[found.why]}</Sentence>
    );
  if (own === null || (isSetAside && again === null)) return null;

  const hers: Voice = { name: teacherTitle, src: addresses.heard, passages: passagesByLine(lines) };
  const mine: Voice = {
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
          {!again && <Count {...{ found, progress }} of={lines} />}
        </div>
        {!again && <div className="h-1.5">{found.state === 'working' && <Bar {...{ progress }} />}</div>}
      </div>
      <LineByLine lines={again ? [again] : lines} voices={again ? [hers] : [hers, mine]} playsInTurnClosed>
        {again
          ? undefined
          : (line, hear) => {
              const shown = lines.find((each) => each.line === line)!;
              const sung = mine.passages.get(line);
              return (
                <>
                  {sung && (
                    <PitchPicture
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
      </LineByLine>
    </section>
  );
}

const mayHelp = (why: Failure) => why === 'unreachable' || why === 'fault';

type CountProps = { found: LinesHere; progress: Percent; of: readonly MelodyLine[] };

function Count({ found, progress, of }: CountProps) {
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

/** Its container keeps its height, so that the list does not move. */
const Bar = ({ progress }: { progress: Percent }) => (
  <Progress value={useStore(progress)} max={100} aria-label="Finding the lines" className="h-1.5" />
);

const Sentence = ({
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
