import { clsx } from 'clsx';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import type { MarkedLine, MarkedFeedback } from '../contract.ts';
import { Link } from 'wouter';
import { usePagedList } from '#web/navigation/paged-list.ts';
import { formatDisplayName } from '#web/api/session.ts';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import { formatMarkTime } from '#features/feedback/marks.ts';
import { getPastFeedbackUrl } from '#features/feedback/web/feedback-url.ts';

type MarkedLinesProps = { melodyId: number; lines: readonly MarkedLine[]; elsewhere: number };

/** Lists the lines with their number of marks. Each line expands to the feedback with those marks. */
export function MarkedLines({ melodyId, lines, elsewhere }: MarkedLinesProps) {
  const most = Math.max(...lines.map(({ marks }) => marks));
  if (lines.length === 0 && elsewhere === 0)
    return <p className="measure">No comments on recordings of this melody in the last six months.</p>;
  return (
    <>
      {lines.length === 0 ? (
        <p className="measure">
          These comments aren’t tied to lines. To see comments by line, add line timings to the melody first.
        </p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {lines.map(({ number, words, marks, students }) => (
            <MarkedLineItem
              key={number}
              name={`Line ${number}`}
              words={words}
              count={`${formatCount(marks, 'comment')} · ${formatCount(students, 'student')}`}
              share={marks / most}
            >
              <MarkedFeedbackList melodyId={melodyId} line={number} />
            </MarkedLineItem>
          ))}
        </ul>
      )}
      {elsewhere > 0 && (
        <p className="mt-4 text-sm text-soft">
          {formatCount(elsewhere, lines.length > 0 ? 'more comment' : 'comment')}{' '}
          {elsewhere === 1 ? 'isn’t' : 'aren’t'} tied to a line.
        </p>
      )}
    </>
  );
}

const formatCount = (count: number, what: string) =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

type MarkedLineItemProps = { name: string; words: string; count: string; share: number; children: ReactNode };

function MarkedLineItem({ name, words, count, share, children }: MarkedLineItemProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
        className="-mx-2 flex min-h-16 w-[calc(100%+1rem)] items-center gap-3 rounded-md px-2 py-3 text-start hover:bg-sunk"
      >
        <span className="grid min-w-0 grow grid-cols-[minmax(0,1fr)] gap-1.5">
          <span className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 text-sm">
            <span className="font-semibold">{name}</span>
            <span className="tabular-nums">{count}</span>
          </span>
          <span {...getLangProps(words)} className="font-serif text-lg break-words">
            {words}
          </span>
          <span aria-hidden="true" className="block h-2 overflow-hidden rounded-full bg-sunk">
            <span
              className="block h-full min-w-2 rounded-full bg-lapis"
              style={{ inlineSize: `${share * 100}%` }}
            />
          </span>
        </span>
        <ChevronDown
          aria-hidden="true"
          className={clsx('size-5 shrink-0 transition-transform duration-150', isOpen && 'rotate-180')}
        />
      </button>
      {isOpen && (
        <div id={id} className="pt-3 pb-5">
          {children}
        </div>
      )}
    </li>
  );
}

/**
 * Lists the feedback with marks at a line, newest first. Each entry links to the recording in Past Feedback.
 */
function MarkedFeedbackList({ melodyId, line }: { melodyId: number; line: number }) {
  const pages = usePagedList('GET /api/admin/melodies/{id}/marked-answers', {
    params: { id: melodyId },
    query: { line },
  });
  return (
    <InfiniteList
      pages={pages}
      failure="The recordings could not be loaded."
      skeleton={<SkeletonList label="Loading the recordings..." className="gap-2" itemClassName="h-14" />}
      empty={<p className="text-soft">These recordings have been deleted.</p>}
      as="ul"
      className="grid grid-cols-[minmax(0,1fr)] gap-2"
      item={(answer) => <MarkedFeedbackItem key={answer.id} answer={answer} />}
    />
  );
}

function MarkedFeedbackItem({
  answer: { recordingId, student, createdAt, marks },
}: {
  answer: MarkedFeedback;
}) {
  return (
    <li>
      <Link
        href={getPastFeedbackUrl(recordingId)}
        className="flex min-h-14 items-center gap-3 rounded-md border border-line px-3 py-2 hover:bg-sunk"
      >
        <span className="grid min-w-0 grow grid-cols-[minmax(0,1fr)] gap-1">
          <span className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
            <span dir="auto" className="min-w-0 font-semibold break-words">
              {formatDisplayName(student)}
            </span>
            <span className="text-soft">
              sent <TimeAgo time={createdAt} />
            </span>
          </span>
          {marks.map((mark, at) => (
            <span key={at} className="flex gap-x-3">
              <span className="shrink-0 text-sm text-soft tabular-nums">{formatMarkTime(mark)}</span>
              <span {...getLangProps(mark.text)} className="line-clamp-2 min-w-0 break-words">
                {mark.text || (mark.isSpoken ? 'voice comment' : '')}
              </span>
            </span>
          ))}
        </span>
        <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-soft" />
      </Link>
    </li>
  );
}
