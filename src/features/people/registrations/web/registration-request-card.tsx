import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { usePageSettings } from '#web/api/page-data.ts';
import { callApi, CallError } from '#web/api/call.ts';
import { isLostConnectionError } from '#web/uploads/upload-failures.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ExactDate } from '#web/ui/time-ago.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import { type ChosenLevels, resolveChosenLevels } from '#features/people/levels/web/chosen-levels.ts';
import { LevelCheckboxes } from '#features/people/levels/web/level-checkboxes.tsx';
import type { Registration } from '../contract.ts';
import { ALREADY_APPROVED_MESSAGE } from '../limits.ts';
import {
  reportDecisionFailure,
  type DecisionOutcome,
  PATHS_CHANGED_BY_DECISION,
  reportDecisionSuccess,
} from './decision-outcome.ts';
import { findLookAlikeScript } from './look-alike-script.ts';

type RegistrationRequestCardProps = {
  request: Registration;
  levels: readonly Level[];
  failure: DecisionOutcome | null;
  onOutcome: (outcome: DecisionOutcome | null) => void;
  onDelete: () => void;
};

export function RegistrationRequestCard({
  request,
  levels,
  failure,
  onOutcome,
  onDelete,
}: RegistrationRequestCardProps) {
  const { sendsMail } = usePageSettings();
  const [chosen, setChosen] = useState<ChosenLevels>(null);
  const given = resolveChosenLevels(chosen, levels);
  const script = findLookAlikeScript(request.fullName);
  const mayBeApproved = useRef(false);
  const approve = useMutation({
    async mutationFn() {
      try {
        await callApi('POST /api/admin/approve-user', {
          body: { requestId: request.id, transmissionLevels: given },
        });
      } catch (error) {
        // Counts as a success, because an earlier approval may have been saved although its response was
        // lost.
        if (mayBeApproved.current && isAlreadyApproved(error)) return;
        mayBeApproved.current ||= isLostConnectionError(error);
        throw error;
      }
    },
    meta: { refreshes: PATHS_CHANGED_BY_DECISION },
    onMutate: () => onOutcome(null),
    onSuccess: () =>
      onOutcome(
        reportDecisionSuccess(
          request,
          'User approved',
          "Login credentials have been sent to the user's email",
          sendsMail
            ? null
            : 'Email isn’t set up, so please pass them on yourself: they are at the top of this page.',
        ),
      ),
    onError: (error) => onOutcome(reportDecisionFailure(request, 'Approval failed', error)),
  });
  // After approval the card remains until the list is refetched.
  const isBusy = approve.isPending || approve.isSuccess;
  return (
    <Card as="li">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h3
          dir="auto"
          tabIndex={-1}
          data-item={request.id}
          className="min-w-0 scroll-mt-24 text-xl break-words"
        >
          {request.fullName}
        </h3>
        <Badge tone="waiting">Pending Review</Badge>
      </div>
      {script && (
        <p className="text-sm text-soft">
          This name is written in {script} letters, and some of them look like English ones. Make sure you
          know who this is.
        </p>
      )}
      <p className="mt-1 break-words">{request.email}</p>
      <p className="mb-4 text-sm text-soft">
        Requested <ExactDate time={request.requestedAt} />
      </p>
      <LevelCheckboxes levels={levels} selected={given} onChange={setChosen} isCompact />
      {levels.length > 0 && given.length === 0 && (
        <p role="status" className="mt-1 text-sm text-soft">
          Without a level, they won’t hear any melodies yet.
        </p>
      )}
      {failure && (
        <Notice tone="danger" title={failure.title} className="mt-3">
          {failure.text}
        </Notice>
      )}
      <div className="mt-4 flex flex-col gap-3 sm:flex-row">
        <Button disabled={isBusy} onClick={onDelete} aria-label={`Delete: ${request.fullName}`}>
          Delete
        </Button>
        <Button
          variant="primary"
          busy={isBusy}
          onClick={() => approve.mutate()}
          aria-label={`Approve & Send Credentials: ${request.fullName}`}
        >
          Approve & Send Credentials
        </Button>
      </div>
    </Card>
  );
}

const isAlreadyApproved = (error: unknown) =>
  error instanceof CallError && error.serverMessage === ALREADY_APPROVED_MESSAGE;
