import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { callApi, getErrorMessage } from '#web/api/call.ts';
import { getLoadedRows, usePagedList } from '#web/navigation/paged-list.ts';
import { formatDisplayName } from '#web/api/session.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadMoreButton } from '#web/ui/load-more-button.tsx';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import { formatMarkTime } from '#features/feedback/marks.ts';
import { getTeachingNotesUrl } from '#features/teaching-notes/web/use-line-notes.ts';
import type { RequestedAgreement } from '../contract.ts';

/** Lists earlier questions about a recording and their outcomes; hidden if there are none. */
export function EarlierAgreementRequests({
  recordingId,
  melodyId,
}: {
  recordingId: number;
  melodyId: number;
}) {
  const pages = usePagedList('GET /api/admin/agreements', { query: { recordingId } });
  const list = useRef<HTMLUListElement>(null);
  const asked = getLoadedRows(pages.data);
  if (asked.length === 0) return null;
  return (
    <section aria-label="Already asked about this recording" className="grid gap-2">
      <h3 className="text-sm font-semibold">Already asked about this recording</h3>
      <ul ref={list} className="divide-y divide-line border-y border-line">
        {asked.map((agreement) => (
          <EarlierQuestion key={agreement.id} {...{ agreement, melodyId }} />
        ))}
      </ul>
      <LoadMoreButton {...{ pages, list }} failure="The rest could not be loaded." />
    </section>
  );
}

function EarlierQuestion({ agreement, melodyId }: { agreement: RequestedAgreement; melodyId: number }) {
  const { id, state, askedAt, answeredAt, name } = agreement;
  const withdraw = useMutation({
    mutationFn: () => callApi('DELETE /api/admin/agreements/{id}', { params: { id } }),
    meta: { refreshes: ['/api/admin/agreements', getTeachingNotesUrl(melodyId)] },
  });
  const isOver = state === 'declined' || state === 'revoked';
  const student = formatDisplayName(agreement.student);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2 text-sm">
      <span className="min-w-0 break-words">
        <span className="font-semibold tabular-nums">{formatMarkTime(agreement)}</span>{' '}
        {state === 'agreed' &&
          `${student} agreed to share it ${name === null ? 'without' : 'with'} their name `}
        {state === 'asked' &&
          (answeredAt === null
            ? `${student} hasn’t answered yet. Asked `
            : `${student} needs to answer again, because the server was restored from a backup. First agreed `)}
        {state === 'declined' && `${student} said no `}
        {state === 'revoked' && `${student} stopped sharing it. Agreed `}
        <TimeAgo time={answeredAt ?? askedAt} />
      </span>
      {!isOver && (
        <Button
          busy={withdraw.isPending || withdraw.isSuccess}
          onClick={() => withdraw.mutate()}
          className="min-h-11 px-3"
        >
          {state === 'asked' ? 'Withdraw the request' : 'Stop sharing'}
        </Button>
      )}
      {withdraw.isError && (
        <span role="alert" className="w-full font-semibold text-danger">
          {getErrorMessage(withdraw.error, 'That didn’t work. Please try again.')}
        </span>
      )}
    </li>
  );
}
