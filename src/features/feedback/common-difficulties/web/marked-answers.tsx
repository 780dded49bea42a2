import { ChevronRight } from 'lucide-react';
import { Link } from 'wouter';
import { usePages } from '#web/navigation/pages.ts';
import { displayName } from '#web/api/session.ts';
import { LongList } from '#web/ui/long-list.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import { placeOf } from '#features/feedback/marks.ts';
import { pastFeedbackOn } from '#features/feedback/web/answer-address.ts';
import { langOf } from '#features/lyrics/web/tibetan.ts';
import type { MarkedAnswer } from '../contract.ts';

/** The answers with marks at a line, newest first; each leads to its recording in Past Feedback. */
export function MarkedAnswers({ melodyId, line }: { melodyId: number; line: number }) {
  const pages = usePages('GET /api/admin/melodies/{id}/marked-answers', {
    params: { id: melodyId },
    query: { line },
  });
  return (
    <LongList
      pages={pages}
      failure="The recordings could not be loaded."
      skeleton={<SkeletonList label="Loading the recordings..." className="gap-2" itemClassName="h-14" />}
      empty={<p className="text-soft">They have been deleted meanwhile.</p>}
      as="ul"
      className="grid grid-cols-[minmax(0,1fr)] gap-2"
      item={(answer) => <Answered key={answer.id} answer={answer} />}
    />
  );
}

function Answered({ answer: { recordingId, student, createdAt, marks } }: { answer: MarkedAnswer }) {
  return (
    <li>
      <Link
        href={pastFeedbackOn(recordingId)}
        className="flex min-h-14 items-center gap-3 rounded-md border border-line px-3 py-2 hover:bg-sunk"
      >
        <span className="grid min-w-0 grow grid-cols-[minmax(0,1fr)] gap-1">
          <span className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
            <span dir="auto" className="min-w-0 font-semibold break-words">
              {displayName(student)}
            </span>
            <span className="text-soft">
              answered <TimeAgo time={createdAt} />
            </span>
          </span>
          {marks.map((mark, at) => (
            <span key={at} className="flex gap-x-3">
              <span className="shrink-0 text-sm text-soft tabular-nums">{placeOf(mark)}</span>
              <span {...langOf(mark.text)} className="line-clamp-2 min-w-0 break-words">
                {mark.text || (mark.isSpoken ? 'spoken' : '')}
              </span>
            </span>
          ))}
        </span>
        <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-soft" />
      </Link>
    </li>
  );
}
