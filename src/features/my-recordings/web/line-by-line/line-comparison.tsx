import { useQueries } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { chooseSoundUrl } from '#web/audio-ui/playback/media-url.ts';
import { usePageSettings } from '#web/api/page-data.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorText } from '#web/ui/error-text.tsx';
import { Select } from '#web/ui/select.tsx';
import type { Mark, VoiceComment as MarkVoice } from '#features/feedback/contract.ts';
import { buildSungPassages } from '#features/feedback/web/marks/sung-passages.ts';
import type { MelodyDetail } from '#features/melodies/contract.ts';
import type { Recording } from '#features/recordings/contract.ts';
import { formatAttemptName, formatOrdinal } from '#features/recordings/web/attempt-name.ts';
import type { RecordingLines } from '#features/line-matching/contract.ts';
import { selectAttempts } from './select-attempts.ts';
import { LineByLineList, type LineVoice } from './line-by-line-list.tsx';
import {
  MAX_DECODED_SECONDS,
  getSmallestCopyUrl,
} from '#features/line-matching/web/on-device/decode-sound.ts';
import { createAttemptLinesQuery } from '#features/line-matching/web/lines-query.ts';
import {
  getPlayableLines,
  type MelodyLine,
  toPassagesByLine,
  getConfidentPassages,
} from '#features/line-matching/web/passages.ts';
import { PitchContours } from './pitch-contours.tsx';
import { groupMarksByLine } from './group-marks-by-line.ts';
import { LineMarks } from './line-marks.tsx';

export type ComparedRecording = Pick<
  Recording,
  'id' | 'title' | 'audioUrl' | 'audioCopies' | 'duration' | 'peaks' | 'attempt'
>;

type LineComparisonProps = {
  recording: ComparedRecording;
  melody: MelodyDetail;
  /** The lines found in the recording. */
  found: RecordingLines['lines'];
  /** The student's recordings of the melody, earliest first; empty if they are not loaded. */
  attempts: readonly Recording[];
  /** Failure to load the attempts; null if there was none. */
  failure: { isTrying: boolean; tryAgain: () => void } | null;
  marks: readonly Mark[];
  voices: readonly MarkVoice[];
};

const EMPTY_REMARKS: ReadonlyMap<number, never> = new Map<number, never>();

/** Each line as the teacher and the student sang it. An open line also offers the student's other attempts. */
export function LineComparison({
  recording,
  melody,
  found,
  attempts,
  failure,
  ...said
}: LineComparisonProps) {
  const { teacherTitle } = usePageSettings();
  const [isOpened, setIsOpened] = useState(false);
  const [chosen, setChosen] = useState<number | null>(null);
  const lines = useMemo(() => getPlayableLines(melody), [melody]);
  const hers = useMemo(
    () => ({ name: teacherTitle, src: getMelodySoundUrl(melody), passages: toPassagesByLine(lines) }),
    [teacherTitle, melody, lines],
  );
  const mine = useMemo(
    () => ({ name: 'Mine', src: getMelodySoundUrl(recording), passages: getConfidentPassages(found) }),
    [recording, found],
  );
  const marksByLine = useMemo(
    () => groupMarksByLine(said.marks, lines, buildSungPassages(melody.melodyText ?? '', lines, found)),
    [said.marks, melody, lines, found],
  );

  const others = attempts.filter(({ id }) => id !== recording.id);
  const offered = selectAttempts(attempts, { own: recording.id, chosen });
  const offeredOthers = offered.filter(({ id }) => id !== recording.id);
  const asked = useQueries({
    queries: offeredOthers.map(({ id }) => ({ ...createAttemptLinesQuery(id), enabled: isOpened })),
  });
  const voiceOf = (attempt: Recording): LineVoice => {
    const name = formatOrdinal(attempt.attempt ?? 1);
    const named = { name, fullName: `${name} recording` };
    if (attempt.id === recording.id) return { ...mine, ...named };
    const { data, isError } = asked[offeredOthers.indexOf(attempt)]!;
    return {
      ...named,
      src: getMelodySoundUrl(attempt),
      passages: data ? getConfidentPassages(data.lines) : EMPTY_REMARKS,
      isLoading: !data && !isError,
      ...((isError && { absent: 'couldn’t load' }) ||
        (!data && { absent: '…' }) ||
        (data?.state === 'working' && { absent: 'not ready yet' })),
    };
  };
  const failed = asked.filter(({ isError }) => isError);
  const tryAgain = () => {
    failure?.tryAgain();
    for (const { refetch } of failed) void refetch();
  };
  const isTrying = failure?.isTrying ?? failed.some(({ isFetching }) => isFetching);

  return (
    <div className="max-sm:-mx-3">
      <LineByLineList
        lines={lines}
        voices={[hers, mine]}
        openedVoices={others.length > 0 ? [hers, ...offered.map(voiceOf)] : undefined}
        onOpen={(line) => line !== null && setIsOpened(true)}
        renderMarks={(line) => {
          const marks = marksByLine.get(line);
          return marks && <LineMarks marks={marks} voices={said.voices} />;
        }}
      >
        {(line) => (
          <>
            <LinePitchPicture {...{ line, lines, melody, recording }} passages={mine.passages} />
            {attempts.length > selectAttempts(attempts, { own: recording.id, chosen: null }).length && (
              <Select
                label="Another recording"
                className="sm:max-w-xs"
                value={chosen ?? ''}
                onChange={({ target }) => setChosen(target.value === '' ? null : Number(target.value))}
              >
                <option value="">None</option>
                {others.map(({ id, attempt }) => (
                  <option key={id} value={id}>
                    {formatAttemptName(attempt ?? 1)}
                  </option>
                ))}
              </Select>
            )}
            {(failure || failed.length > 0) && (
              <div className="flex flex-wrap items-center gap-3">
                <ErrorText>Your other recordings could not be loaded.</ErrorText>
                <Button busy={isTrying} onClick={tryAgain}>
                  Try again
                </Button>
              </div>
            )}
          </>
        )}
      </LineByLineList>
    </div>
  );
}

type LinePitchPictureProps = Pick<LineComparisonProps, 'recording' | 'melody'> & {
  line: number;
  lines: readonly MelodyLine[];
  passages: LineVoice['passages'];
};

function LinePitchPicture({ line, lines, passages, melody, recording }: LinePitchPictureProps) {
  const hers = lines.find((each) => each.line === line);
  const mine = passages.get(line);
  const isShort = Math.max(melody.duration ?? 0, recording.duration ?? 0) <= MAX_DECODED_SECONDS;
  return (
    hers &&
    mine &&
    isShort && (
      <PitchContours
        number={hers.index + 1}
        words={hers.words}
        melody={{ sound: getSmallestSoundUrl(melody), passage: hers }}
        take={{ sound: getSmallestSoundUrl(recording), passage: mine }}
      />
    )
  );
}

type SoundSource = Pick<MelodyDetail, 'audioUrl' | 'audioCopies'>;

const getSmallestSoundUrl = ({ audioUrl, audioCopies }: SoundSource) =>
  getSmallestCopyUrl({ name: audioUrl ?? '', copies: audioCopies });

const getMelodySoundUrl = ({ audioUrl, audioCopies }: SoundSource) =>
  chooseSoundUrl({ name: audioUrl ?? '', copies: audioCopies });
