import { ChartNoAxesColumn, Check, Pencil } from 'lucide-react';
import { memo } from 'react';
import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { formatDuration, formatDurationInWords } from '#web/ui/format-duration.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { LevelBadge } from '#features/people/levels/web/level-badge.tsx';
import type { ListedMelody } from '#features/melodies/contract.ts';
import { LazyMelodyUpdatedNotice } from '../library-outcome.ts';
import { OpenPlayerButton } from '#features/practice/web/player-host.tsx';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import {
  hasMelodyPart,
  type MelodyPart,
  MELODY_PARTS,
  MELODY_PART_NAMES,
  type LibraryTableRow,
} from './table-rows.ts';

type MelodyRowProps = {
  row: LibraryTableRow;
  isTicked: boolean;
  /** Outcome of an edit that has just been saved; null if there is none. */
  outcome: { isApproximate: boolean } | null;
  /** Must be stable across renders, or every row re-renders. */
  onTick: (id: number, isTicked: boolean) => void;
  onEdit: (melody: ListedMelody) => void;
  onMarks: (melody: ListedMelody) => void;
};

/** Table row of a melody. On narrow screens, it is an entry that mentions only the parts the melody lacks. */
export const MelodyRow = memo(function MelodyRow(props: MelodyRowProps) {
  const { row, isTicked, outcome, onTick, onEdit, onMarks } = props;
  const { melody, recordings } = row;
  const { title } = melody;
  const counted = (
    <>
      {recordings?.toLocaleString('en') ?? '…'}
      <span className="xl:sr-only"> {recordings === 1 ? 'recording' : 'recordings'}</span>
    </>
  );
  return (
    <tr
      role="row"
      className="max-xl:relative max-xl:flex max-xl:flex-wrap max-xl:items-center max-xl:gap-x-3 max-xl:gap-y-1 max-xl:border-b max-xl:border-line max-xl:py-2 max-xl:ps-12 max-xl:pe-14 xl:[&>td]:border-t xl:[&>td]:border-line"
    >
      <td role="cell" className="ps-3 max-xl:absolute max-xl:start-0 max-xl:top-1">
        <Checkbox
          label={<span className="sr-only">Select {title}</span>}
          checked={isTicked}
          onChange={(event) => onTick(melody.id, event.target.checked)}
        />
      </td>
      <td role="cell" {...getLangProps(title)} className="max-xl:w-full xl:min-w-40 xl:px-2">
        <OpenPlayerButton melody={melody} className="min-h-11 font-serif wrap-anywhere hover:underline">
          {title}
        </OpenPlayerButton>
        {outcome && <LazyBoundary part={LazyMelodyUpdatedNotice} {...outcome} />}
      </td>
      <td role="cell" className="xl:px-2 xl:py-1">
        <LevelBadge level={melody.transmissionLevel} className="min-[88rem]:whitespace-nowrap" />
      </td>
      <td role="cell" className="text-sm tabular-nums xl:px-2 xl:text-end">
        {melody.duration === null ? (
          <span className="text-soft max-xl:hidden">–</span>
        ) : (
          <>
            <span aria-hidden="true">{formatDuration(melody.duration)}</span>
            <span className="sr-only">{formatDurationInWords(melody.duration)}</span>
          </>
        )}
      </td>
      {MELODY_PARTS.map((part) => (
        <PartCell key={part} part={part} has={hasMelodyPart(row, part)} />
      ))}
      <td role="cell" className="text-sm tabular-nums xl:px-2 xl:text-end">
        {recordings ? (
          <button
            type="button"
            onClick={() => onMarks(melody)}
            title="Common difficulties"
            className="inline-flex min-h-11 min-w-11 items-center gap-2 xl:justify-end"
          >
            <span className="link">{counted}</span>
            <span className="sr-only"> of {title}: common difficulties</span>
            <ChartNoAxesColumn className="size-4 shrink-0 text-lapis" />
          </button>
        ) : (
          counted
        )}
      </td>
      <td role="cell" className="max-xl:absolute max-xl:end-0 max-xl:top-1 xl:pe-1">
        <IconButton label={`Edit ${title}`} icon={<Pencil />} onClick={() => onEdit(melody)} />
      </td>
    </tr>
  );
});

function PartCell({ part, has }: { part: MelodyPart; has: boolean | null }) {
  if (has === null)
    return (
      <td role="cell" className="text-center text-soft max-xl:hidden">
        …
      </td>
    );
  return has ? (
    <td role="cell" className="max-xl:hidden">
      <Check className="mx-auto size-5 text-jade-ink" />
      <span className="sr-only">yes</span>
    </td>
  ) : (
    <td role="cell" className="text-sm font-semibold text-saffron-ink xl:px-2 xl:text-center">
      <span className="xl:sr-only">No {MELODY_PART_NAMES[part]}</span>
      <span aria-hidden="true" className="max-xl:hidden">
        –
      </span>
    </td>
  );
}
