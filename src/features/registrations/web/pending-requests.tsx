import { useRef, useState } from 'react';
import { CountBadge } from '../../../platform/web/ui/badge.tsx';
import { EmptyState } from '../../../platform/web/ui/empty-state.tsx';
import { useFocusAfterLeaving } from '../../../platform/web/ui/focus-after-leaving.ts';
import { Notice } from '../../../platform/web/ui/notice.tsx';
import type { Level } from '../../levels/contract.ts';
import type { Registration } from '../contract.ts';
import { DeleteRequestDialog } from './delete-request-dialog.tsx';
import { RequestCard } from './request-card.tsx';
import type { Outcome } from './outcome.ts';

type PendingRequestsProps = { requests: readonly Registration[]; levels: readonly Level[] };

export function PendingRequests({ requests, levels }: PendingRequestsProps) {
  const section = useRef<HTMLElement>(null);
  const [asked, setAsked] = useState<Registration | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const ids = requests.map(({ id }) => id);
  useFocusAfterLeaving(section, ids);
  // What failed is said in its card, as long as there is one.
  const isSaidInCard = outcome?.isFailure && ids.includes(outcome.requestId);
  return (
    <section ref={section} aria-labelledby="pending-requests" className="min-w-0">
      <h2
        id="pending-requests"
        tabIndex={-1}
        data-when-empty=""
        className="mb-4 flex items-center gap-3 text-2xl"
      >
        Pending Requests <CountBadge count={requests.length} of="pending" />
      </h2>
      {outcome && !isSaidInCard && (
        <Notice tone={outcome.isFailure ? 'danger' : 'success'} title={outcome.title} className="mb-4">
          <span className="break-words">{outcome.of}</span>
          <br />
          {outcome.text}
        </Notice>
      )}
      {requests.length === 0 ? (
        <EmptyState title="No Pending Requests">
          When somebody asks for access on the sign-in page, the request will wait here for you.
        </EmptyState>
      ) : (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {requests.map((request) => (
            <RequestCard
              key={request.id}
              request={request}
              levels={levels}
              failure={outcome?.isFailure && outcome.requestId === request.id ? outcome : null}
              onOutcome={setOutcome}
              onDelete={() => setAsked(request)}
            />
          ))}
        </ul>
      )}
      <DeleteRequestDialog request={asked} onClose={() => setAsked(null)} onOutcome={setOutcome} />
    </section>
  );
}
