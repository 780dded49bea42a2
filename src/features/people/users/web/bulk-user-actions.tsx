import { explainError } from '#web/ui/sentences.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '#web/api/call.ts';
import { sendInBatches, type BulkResult, summarizeBulkResult } from '#web/api/bulk-change.ts';
import { createApiQuery } from '#web/api/query-client.ts';
import { formatDisplayName } from '#web/api/session.ts';
import { createUuid } from '#web/uploads/create-uuid.ts';
import { Button } from '#web/ui/button.tsx';
import { SelectionBar, BulkResultNotice } from '#web/ui/selection-bar.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { usePageSettings } from '#web/api/page-data.ts';
import { LevelCheckboxes } from '#features/people/levels/web/level-checkboxes.tsx';
import type { ListedUser, BulkUserChange } from '../contract.ts';
import { getLevelAccessFailureTitle } from './use-access-change.ts';
import { STATUS_UPDATE_FAILED_MESSAGE as STATUS_FAILED, DISABLE_USER_NOTE } from './user-actions.tsx';
import { MAX_BULK_USERS } from '../limits.ts';

type BulkUserActionsProps = {
  /** Names of the ticked users, by id. */
  ticked: ReadonlyMap<string, string>;
  /** Loaded users who can be ticked. */
  shown: readonly ListedUser[];
  onTick: (users: readonly ListedUser[]) => void;
};

/** Bulk actions for the ticked users. */
export function BulkUserActions({ ticked, shown, onTick }: BulkUserActionsProps) {
  const [request, setAsked] = useState<BulkRequest | null>(null);
  const [done, setDone] = useState<BulkResult<string> | null>(null);
  const ask = (change: BulkUserChange) => {
    setDone(null);
    // The key is created when the dialog opens, so that confirming again after a lost response sends the same
    // key.
    setAsked({ change, clientId: createUuid(), people: [...ticked] });
  };
  const all = shown.slice(0, MAX_BULK_USERS);
  return (
    <div className="min-w-0 grow">
      <SelectionBar
        count={ticked.size}
        all={all.length < shown.length ? `Select the first ${all.length}` : 'Select all'}
        none="Clear selection"
        isInactive={shown.length === 0}
        onAll={() => onTick(all)}
        onNone={() => onTick([])}
      >
        {(Object.keys(CHANGES) as BulkUserChange[]).map((change) => (
          <Button
            key={change}
            variant="quiet"
            aria-haspopup="dialog"
            onClick={() => ask(change)}
            className="px-3"
          >
            {CHANGES[change].label}
          </Button>
        ))}
      </SelectionBar>
      {done && <BulkResultNotice done={done} />}
      {request && (
        <BulkChangeDialog
          request={request}
          onClose={() => setAsked(null)}
          onDone={(result) => {
            setDone(result);
            setAsked(null);
            onTick([]);
          }}
        />
      )}
    </div>
  );
}

/** Button that emails a new password to one student, through the endpoint for bulk changes. */
export function EmailNewPasswordButton({ user }: { user: ListedUser }) {
  const [request, setAsked] = useState<BulkRequest | null>(null);
  const [done, setDone] = useState<BulkResult<string> | null>(null);
  const ask = () =>
    setAsked({ change: 'mail', clientId: createUuid(), people: [[user.id, formatDisplayName(user)]] });
  return (
    <>
      <Button aria-haspopup="dialog" onClick={ask}>
        Email a new password
      </Button>
      {done && <BulkResultNotice done={done} />}
      {request && (
        <BulkChangeDialog
          request={request}
          onClose={() => setAsked(null)}
          onDone={(result) => {
            setDone(result);
            setAsked(null);
          }}
        />
      )}
    </>
  );
}

type BulkRequest = {
  change: BulkUserChange;
  clientId: string;
  people: readonly (readonly [id: string, name: string])[];
};

type Wording = {
  label: string;
  /** Title of the confirmation dialog. */
  title: (who: string, isOne: boolean) => string;
  /** Explanation shown in the confirmation dialog. */
  note?: (isOne: boolean) => string;
  confirm?: string;
  /** Title of the message about the result. */
  done: (count: number, sendsMail: boolean) => string;
  failed?: string;
};
const CHANGES: Record<BulkUserChange, Wording> = {
  grant: {
    label: 'Add levels',
    title: (who) => `Add levels for ${who}`,
    done: (count) => `Levels added for ${formatPeople(count)}`,
    failed: getLevelAccessFailureTitle(true),
  },
  revoke: {
    label: 'Remove levels',
    title: (who) => `Remove levels from ${who}`,
    done: (count) => `Levels removed from ${formatPeople(count)}`,
    failed: getLevelAccessFailureTitle(false),
  },
  disable: {
    label: 'Disable',
    title: (who, isOne) => `Disable the ${isOne ? 'account' : 'accounts'} of ${who}?`,
    note: () => DISABLE_USER_NOTE,
    done: (count) => `${formatAccounts(count)} disabled`,
    failed: STATUS_FAILED,
  },
  enable: {
    label: 'Enable',
    title: (who, isOne) => `Enable the ${isOne ? 'account' : 'accounts'} of ${who}?`,
    note: () => 'They can sign in again.',
    done: (count) => `${formatAccounts(count)} enabled`,
    failed: STATUS_FAILED,
  },
  mail: {
    label: 'Email new passwords',
    title: (who, isOne) => `Email ${who} ${isOne ? 'a new password' : 'new passwords'}?`,
    note: (isOne) =>
      `The old ${isOne ? 'password stops' : 'passwords stop'} working, and they’re signed out everywhere.`,
    confirm: 'Send',
    done: (count, sendsMail) =>
      sendsMail
        ? `New ${count === 1 ? 'password' : 'passwords'} sent to ${formatPeople(count)}`
        : `Emails for ${formatPeople(count)} are ready to pass on`,
  },
};

const formatCount = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
const formatPeople = (count: number) => formatCount(count, 'person', 'people');
const formatAccounts = (count: number) => formatCount(count, 'account', 'accounts');

const NO_MAIL_SERVER = 'Email isn’t set up, so you pass the emails on yourself.';

type BulkChangeDialogProps = {
  request: BulkRequest;
  onClose: () => void;
  onDone: (done: BulkResult<string>) => void;
};

function BulkChangeDialog({ request, onClose, onDone }: BulkChangeDialogProps) {
  const { change, clientId, people: chosenPeople } = request;
  const { sendsMail } = usePageSettings();
  const levels = useQuery(createApiQuery('GET /api/admin/transmission-levels'));
  const [chosen, setChosen] = useState<number[]>([]);
  const takesLevels = change === 'grant' || change === 'revoke';
  const { title, label, confirm = label, done, note, failed } = CHANGES[change];
  const names = new Map(chosenPeople);
  const isOne = chosenPeople.length === 1;
  const sending = useMutation({
    mutationFn: () =>
      sendInBatches([...names.keys()], MAX_BULK_USERS, (userIds) =>
        callApi('POST /api/admin/users/changes', {
          body: { userIds, change, clientId, transmissionLevels: takesLevels ? chosen : [] },
        }),
      ),
    meta: { refreshes: ['/api/admin/users', '/api/admin/mail', '/api/admin/audit-log'] },
    onSuccess: (results) => {
      const { failures } = summarizeBulkResult(results, names, '');
      const isNone = failures.length === results.length;
      const parts = [
        !isNone && done(results.length - failures.length, sendsMail),
        failures.length > 0 && `${failures.length} failed`,
      ];
      onDone({ title: parts.filter(Boolean).join(', '), failures });
    },
  });
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={title(isOne ? chosenPeople[0]![1] : formatPeople(chosenPeople.length), isOne)}
      {...(note && {
        description: change === 'mail' && !sendsMail ? `${note(isOne)} ${NO_MAIL_SERVER}` : note(isOne),
      })}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant={change === 'disable' ? 'danger' : 'primary'}
            busy={sending.isPending}
            isInactive={takesLevels && chosen.length === 0}
            onClick={() => sending.mutate()}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {takesLevels && levels.data && (
        <LevelCheckboxes levels={levels.data} selected={chosen} onChange={setChosen} />
      )}
      {sending.isError && (
        <Notice tone="danger" {...(failed && { title: failed })} className="mt-3">
          {explainError(
            sending.error,
            'That didn’t work.',
            'You can safely press the button again. No account is changed twice, and nobody gets an email twice.',
          )}
        </Notice>
      )}
    </Dialog>
  );
}
