import { Fragment, useRef, useState } from 'react';
import type { PagedListResult } from '#web/navigation/paged-list.ts';
import { CountBadge } from '#web/ui/badge.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { useFocusAfterRemoval } from '#web/ui/use-focus-after-removal.ts';
import { LoadMoreButton } from '#web/ui/load-more-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import type { Registration } from '../contract.ts';
import { RegistrationRequestCard } from './registration-request-card.tsx';
import {
  type DecisionOutcome,
  reportDecisionFailure,
  PATHS_CHANGED_BY_DECISION,
  reportDecisionSuccess,
} from './decision-outcome.ts';
import { useMutation } from '@tanstack/react-query';
import { callApi } from '#web/api/call.ts';
import { ignoreNotFound } from '#web/api/ignore-not-found.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';

type PendingRegistrationRequestsProps = {
  pages: PagedListResult<Registration>;
  /** Requests loaded so far. */
  requests: readonly Registration[];
  total: number;
  levels: readonly Level[];
};

export function PendingRegistrationRequests({
  pages,
  requests,
  total,
  levels,
}: PendingRegistrationRequestsProps) {
  const section = useRef<HTMLElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [deleting, setDeleting] = useState<Registration | null>(null);
  const [shownOutcome, setShownOutcome] = useState<PlacedOutcome | null>(null);
  const ids = requests.map(({ id }) => id);
  useFocusAfterRemoval(section, ids);
  const showOutcome = (outcome: DecisionOutcome | null) =>
    setShownOutcome(outcome && { ...outcome, nextId: ids[ids.indexOf(outcome.requestId) + 1] });
  // A failure is shown in the request's card, unless the card is gone.
  const isShownInCard = shownOutcome?.isFailure && ids.includes(shownOutcome.requestId);
  const notice = shownOutcome && !isShownInCard && <OutcomeNotice outcome={shownOutcome} />;
  const isBeforeCard = shownOutcome?.nextId !== undefined && ids.includes(shownOutcome.nextId);
  return (
    <section ref={section} aria-labelledby="pending-requests" className="min-w-0">
      <h2
        id="pending-requests"
        tabIndex={-1}
        data-when-empty=""
        className="mb-4 flex scroll-mt-24 flex-wrap items-center gap-x-3 text-2xl"
      >
        Pending Requests <CountBadge count={total} noun="pending" />
      </h2>
      <ul ref={list} className="grid grid-cols-[minmax(0,1fr)] gap-4 not-empty:mb-4">
        {requests.map((request) => (
          <Fragment key={request.id}>
            {notice && shownOutcome.nextId === request.id && <li>{notice}</li>}
            <RegistrationRequestCard
              request={request}
              levels={levels}
              failure={shownOutcome?.isFailure && shownOutcome.requestId === request.id ? shownOutcome : null}
              onOutcome={showOutcome}
              onDelete={() => setDeleting(request)}
            />
          </Fragment>
        ))}
        {notice && !isBeforeCard && <li>{notice}</li>}
      </ul>
      <LoadMoreButton {...{ pages, list }} failure="Couldn’t load more requests." />
      {total === 0 && (
        <EmptyState title="No Pending Requests">
          When someone requests access on the sign-in page, you’ll see it here.
        </EmptyState>
      )}
      <DeleteRequestDialog request={deleting} onClose={() => setDeleting(null)} onOutcome={showOutcome} />
    </section>
  );
}

/** Outcome shown in the list in place of the decided request, before the request that followed it. */
type PlacedOutcome = DecisionOutcome & { nextId: number | undefined };

const OutcomeNotice = ({ outcome }: { outcome: DecisionOutcome }) => (
  <Notice tone={outcome.isFailure ? 'danger' : 'success'} title={outcome.title}>
    <p className="break-words">{outcome.fullName}</p>
    <p>{outcome.text}</p>
  </Notice>
);

type DeleteRequestDialogProps = {
  request: Registration | null;
  onClose: () => void;
  onOutcome: (outcome: DecisionOutcome) => void;
};

function DeleteRequestDialog({ request, onClose, onOutcome }: DeleteRequestDialogProps) {
  const remove = useMutation({
    mutationFn: ({ id }: Registration) =>
      ignoreNotFound(callApi('DELETE /api/admin/registration-requests/{id}', { params: { id } })),
    meta: { refreshes: PATHS_CHANGED_BY_DECISION },
    onSuccess: (_answer, deleted) =>
      onOutcome(
        reportDecisionSuccess(
          deleted,
          'Request deleted',
          'Registration request has been removed from the queue',
        ),
      ),
    onError: (error, kept) => onOutcome(reportDecisionFailure(kept, 'Delete failed', error)),
    onSettled: onClose,
  });
  return (
    <ConfirmDialog
      isOpen={request !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      sentence={`Delete the request from ${request?.fullName ?? ''}?`}
      note={`${request?.email ?? ''} won’t be notified and may ask again.`}
      confirmLabel="Delete"
      isDangerous
      busy={remove.isPending}
      onConfirm={() => request && remove.mutate(request)}
    />
  );
}
