import { memo, useId } from 'react';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import type { Mark } from '#features/feedback/contract.ts';
import { isMarkLineGuessed, findLineOfMark, truncateWords, type TimedLine } from './mark-lines.ts';
import type { SungPassage } from './sung-passages.ts';

type MarkLineSelectProps = {
  mark: Mark;
  marks: readonly Mark[];
  lines: readonly TimedLine[];
  sung: readonly SungPassage[];
  /** Formatted position of the mark, such as '0:42'. */
  place: string;
  isDisabled: boolean;
  /** Called with the start of the line, in seconds from the start of the melody; null for no line. */
  onChange: (melodyAt: number | null) => void;
};

const NO_LINE = '';

const GUESS_NOTE = 'We’re not sure which line is sung here.';

/**
 * Dropdown for the melody line of a mark. Shows the chosen line. If none was chosen, shows the line that was
 * found at the mark, or a guess.
 */
export function MarkLineSelect({
  mark,
  marks,
  lines,
  sung,
  place,
  isDisabled,
  onChange,
}: MarkLineSelectProps) {
  const id = useId();
  const line = findLineOfMark(mark, marks, lines, sung);
  const isGuessed = isMarkLineGuessed(mark, sung);
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-sm text-soft @max-[43rem]:order-last @max-[43rem]:basis-full @min-[43rem]:w-56">
      <label htmlFor={id} className="shrink-0 ps-1 @min-[43rem]:sr-only">
        <span aria-hidden="true">Line</span>
        <span className="sr-only">Melody line for {place}</span>
      </label>
      <select
        id={id}
        {...getLangProps(line?.words ?? '')}
        value={line?.index ?? NO_LINE}
        disabled={isDisabled}
        aria-describedby={isGuessed ? `${id}-note` : undefined}
        onChange={({ target: { value } }) =>
          onChange(lines.find(({ index }) => String(index) === value)?.start ?? null)
        }
        className="h-11 min-w-0 grow rounded-md border border-edge bg-surface px-2 text-base text-ellipsis text-ink max-sm:order-last max-sm:basis-full sm:basis-0 @max-[43rem]:sm:max-w-md @min-[43rem]:min-w-24 @min-[43rem]:text-sm"
      >
        <option value={NO_LINE} lang="en">
          No line
        </option>
        <LineOptions lines={lines} />
      </select>
      {isGuessed && (
        <span id={`${id}-note`} title={GUESS_NOTE} className="shrink-0 pe-1 max-sm:ms-auto">
          {line ? `maybe line ${line.index + 1}` : 'maybe no line'}
          <span className="sr-only"> {GUESS_NOTE}</span>
        </span>
      )}
    </p>
  );
}

/**
 * Memoized, because the options are the same for every mark, and typing in a mark must not re-render a long
 * list.
 */
const LineOptions = memo(({ lines }: { lines: readonly TimedLine[] }) =>
  lines.map(({ index, words }) => (
    <option key={index} value={index} {...getLangProps(words)}>
      {`${index + 1}. ${truncateWords(words)}`}
    </option>
  )),
);
