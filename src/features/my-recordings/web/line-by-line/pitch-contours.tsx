import { clsx } from 'clsx';
import { Fragment, useEffect, useId, useState } from 'react';
import { logUnexpectedError } from '#web/api/call.ts';
import { usePageSettings } from '#web/api/page-data.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import {
  compareLinePitchOnDevice,
  type SoundPassage,
  isExpectedComparisonError,
} from '#features/line-matching/web/on-device/compare-line-pitch-on-device.ts';
import type { ComparedContours } from '#features/line-matching/web/pitch/compare-contours.ts';
import { describeContours } from './pitch/describe-contours.ts';
import { toPathData, getContourPoints, layOutSyllables } from './pitch/pitch-layout.ts';
import { splitSyllables } from './pitch/split-syllables.ts';

const DRAWING_FAILED = 'The shape couldn’t be drawn. You can still listen to both.';
const TOO_LITTLE_SINGING = 'There isn’t enough singing in this line to draw its shape.';
const SYLLABLES_ESTIMATED = 'The start of each syllable is an estimate.';
const SYLLABLES_SPREAD_EVENLY =
  'We couldn’t tell where each syllable starts, so the syllables are spread evenly.';

type PitchPictureProps = {
  /** Line number shown to the user, from 1. */
  number: number;
  words: string;
  melody: SoundPassage;
  take: SoundPassage;
};

/**
 * The pitch curves of a line, as sung by the teacher and by the student. Collapsed at first, and computed only
 * when opened.
 */
export const PitchContours = (props: PitchPictureProps) => (
  <div className="rounded-lg border border-line bg-surface px-4 py-1">
    <Disclosure label="See the melody’s shape">{() => <ExpandedPitchPicture {...props} />}</Disclosure>
  </div>
);

function ExpandedPitchPicture({ number, words, melody, take }: PitchPictureProps) {
  const syllables = splitSyllables(words);
  const contours = useContours(melody, take, syllables.length);
  if (contours === 'working')
    return (
      <p role="status" className="flex min-h-48 items-center justify-center gap-2 pb-3 text-sm text-soft">
        <Spinner /> Listening to both…
      </p>
    );
  if (contours === null || contours === 'failed')
    return (
      <p role="status" className="pb-3 text-sm text-soft">
        {contours === null ? TOO_LITTLE_SINGING : DRAWING_FAILED}
      </p>
    );
  return <PitchCurves {...{ number, syllables, contours }} />;
}

function useContours({ sound, passage }: SoundPassage, take: SoundPassage, syllables: number) {
  const [contours, setContours] = useState<ComparedContours | null | 'working' | 'failed'>('working');
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    void compareLinePitchOnDevice({ sound, passage }, take, syllables, signal).then(
      (compared) => signal.aborted || setContours(compared),
      (error: unknown) => {
        if (signal.aborted) return;
        if (!isExpectedComparisonError(error)) logUnexpectedError(error);
        setContours('failed');
      },
    );
    return () => ending.abort();
    // Passages are new objects on every render, so their values are the dependencies.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [sound, passage.start, passage.end, take.sound, take.passage.start, take.passage.end, syllables]);
  return contours;
}

/** Size of the SVG's coordinate system, which is stretched to the available space. */
const [WIDTH, HEIGHT] = [600, 120];

type PitchCurvesProps = { number: number; syllables: readonly string[]; contours: ComparedContours };

function PitchCurves({
  number,
  syllables,
  contours: { melodyCents, takeCents, syllables: found },
}: PitchCurvesProps) {
  const { teacherTitle } = usePageSettings();
  const id = useId();
  const { length } = melodyCents;
  const starts = found ?? syllables.map((_, at) => (at / syllables.length) * length);
  const sung = syllables.map((text, at) => ({ text, from: starts[at]!, to: starts[at + 1] ?? length }));
  const placed = layOutSyllables(
    sung.map(({ text, from, to }) => ({ text, from: from / length, to: to / length })),
  );
  const rows = placed.some(({ row }) => row === 1) ? 2 : 1;
  const drawn = getContourPoints(melodyCents, takeCents);
  const sentences = describeContours(teacherTitle, melodyCents, takeCents, sung);
  return (
    <figure className="grid gap-3 pb-3">
      <div>
        <svg
          role="img"
          aria-label={`The melody’s shape in line ${number}, ${teacherTitle}’s and yours`}
          aria-describedby={id}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="block h-32 w-full overflow-visible"
          fill="none"
          strokeLinecap="round"
          strokeLinejoin="round"
        >
          {starts.slice(1).map((at) => (
            <path
              key={at}
              d={`M${(at / length) * WIDTH} 0V${HEIGHT}`}
              vectorEffect="non-scaling-stroke"
              className="stroke-line"
            />
          ))}
          <path
            d={toPathData(drawn.hers, WIDTH, HEIGHT)}
            strokeWidth="4.5"
            vectorEffect="non-scaling-stroke"
            className="stroke-ink"
          />
          <path d={toPathData(drawn.mine, WIDTH, HEIGHT)} {...dottedStroke} />
        </svg>
        <div aria-hidden="true" className={clsx('relative font-serif', rows === 1 ? 'h-8' : 'h-15')}>
          {placed.map(({ text, x, row }, at) => (
            <span
              key={at}
              {...getLangProps(text)}
              className="absolute -translate-x-1/2 text-sm whitespace-nowrap"
              style={{ insetInlineStart: `${x * 100}%`, top: `${row * 1.75}rem` }}
            >
              {text}
            </span>
          ))}
        </div>
      </div>
      <p aria-hidden="true" className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
        <span className="flex items-center gap-2">
          <LegendLine className="stroke-ink" strokeWidth="4.5" />
          {teacherTitle}
        </span>
        <span className="flex items-center gap-2 text-lapis">
          <LegendLine {...dottedStroke} />
          your voice, moved to the same pitch
        </span>
      </p>
      <figcaption id={id} className="text-sm text-soft">
        {sentences.map((sentence) => (
          <span key={sentence} className="block">
            <QuotedText>{sentence}</QuotedText>
          </span>
        ))}
        <span className="mt-1 block">{found ? SYLLABLES_ESTIMATED : SYLLABLES_SPREAD_EVENLY}</span>
      </figcaption>
    </figure>
  );
}

const dottedStroke = {
  strokeWidth: 4.5,
  strokeDasharray: '0.1 9',
  strokeLinecap: 'round',
  vectorEffect: 'non-scaling-stroke',
  className: 'stroke-lapis',
} as const;

const LegendLine = (props: React.SVGProps<SVGPathElement>) => (
  <svg viewBox="0 0 54 8" fill="none" strokeLinecap="round" className="h-2 w-14 shrink-0">
    <path d="M4 4H50" {...props} />
  </svg>
);

/** Renders text, and sets the language of each quoted part according to its script. */
const QuotedText = ({ children }: { children: string }) =>
  children.split(/[“”]/).map((part, at) => (
    <Fragment key={at}>
      {at % 2 === 0 ? (
        part
      ) : (
        <>
          “<span {...getLangProps(part)}>{part}</span>”
        </>
      )}
    </Fragment>
  ));
