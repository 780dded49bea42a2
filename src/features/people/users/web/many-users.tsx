import { whyAnd } from '#web/ui/sentences.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#web/api/call.ts';
import { inParts, type ManyDone, manyDone } from '#web/api/change-many.ts';
import { apiQuery } from '#web/api/query-client.ts';
import { displayName } from '#web/api/session.ts';
import { newId } from '#web/uploads/new-id.ts';
import { Button } from '#web/ui/button.tsx';
import { ChosenBar, ManyDoneNotice } from '#web/ui/chosen-bar.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { useSettings } from '#web/api/page-data.ts';
import { LevelCheckboxes } from '#features/people/levels/web/level-checkboxes.tsx';
import type { ListedUser, ManyChange } from '../contract.ts';
import { failureSentence } from './access-change.ts';
import { FAILED as STATUS_FAILED, WHILE_DISABLED } from './user-actions.tsx';
import { MANY_USERS_MAX } from '../limits.ts';

type ManyUsersProps = {
  /** Names by id. */
  ticked: ReadonlyMap<string, string>;
  /** Users who can be ticked, as far as they are loaded. */
  shown: readonly ListedUser[];
  onTick: (users: readonly ListedUser[]) => void;
};

/** Bulk actions for the ticked users. */
export function ManyUsers({ ticked, shown, onTick }: ManyUsersProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [done, setDone] = useState<ManyDone<string> | null>(null);
  const ask = (change: ManyChange) => {
    setDone(null);
    // The idempotency key is created here, so that pressing again after a lost response sends the same key.
    setAsked({ change, clientId: newId(), people: [...ticked] });
  };
  const all = shown.slice(0, MANY_USERS_MAX);
  return (
    <div className="min-w-0 grow">
      <ChosenBar
        count={ticked.size}
        all={all.length < shown.length ? `Select the first ${all.length}` : 'Select all'}
        none="Clear selection"
        isSpent={shown.length === 0}
        onAll={() => onTick(all)}
        onNone={() => onTick([])}
      >
        {(Object.keys(CHANGES) as ManyChange[]).map((change) => (
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
      </ChosenBar>
      {done && <ManyDoneNotice done={done} />}
      {asked && (
        <Question
          asked={asked}
          onClose={() => setAsked(null)}
          onDone={(what) => {
            setDone(what);
            setAsked(null);
            onTick([]);
          }}
        />
      )}
    </div>
  );
}

/** Mails a new password to one student, by the same endpoint as for several. */
export function MailAgain({ user }: { user: ListedUser }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [done, setDone] = useState<ManyDone<string> | null>(null);
  const ask = () => setAsked({ change: 'mail', clientId: newId(), people: [[user.id, displayName(user)]] });
  return (
    <>
      <Button aria-haspopup="dialog" onClick={ask}>
        Email a new password
      </Button>
      {done && <ManyDoneNotice done={done} />}
      {asked && (
        <Question
          asked={asked}
          onClose={() => setAsked(null)}
          onDone={(what) => {
            setDone(what);
            setAsked(null);
          }}
        />
      )}
    </>
  );
}

type Asked = {
  change: ManyChange;
  clientId: string;
  people: readonly (readonly [id: string, name: string])[];
};

type Wording = {
  label: string;
  /** Title of the dialog. */
  title: (who: string, isOne: boolean) => string;
  /** What changes for them besides. */
  note?: (isOne: boolean) => string;
  confirm?: string;
  /** Title of the result. */
  done: (count: number, sendsMail: boolean) => string;
  failed?: string;
};
const CHANGES: Record<ManyChange, Wording> = {
  grant: {
    label: 'Add levels',
    title: (who) => `Add levels for ${who}`,
    done: (count) => `Levels added for ${people(count)}`,
    failed: failureSentence(true),
  },
  revoke: {
    label: 'Remove levels',
    title: (who) => `Remove levels from ${who}`,
    done: (count) => `Levels removed from ${people(count)}`,
    failed: failureSentence(false),
  },
  disable: {
    label: 'Disable',
    title: (who, isOne) => `Disable the ${isOne ? 'account' : 'accounts'} of ${who}?`,
    note: () => WHILE_DISABLED,
    done: (count) => `${accounts(count)} disabled`,
    failed: STATUS_FAILED,
  },
  enable: {
    label: 'Enable',
    title: (who, isOne) => `Enable the ${isOne ? 'account' : 'accounts'} of ${who}?`,
    note: () => 'They can sign in again.',
    done: (count) => `${accounts(count)} enabled`,
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
        ? `New ${count === 1 ? 'password' : 'passwords'} sent to ${people(count)}`
        : `Emails for ${people(count)} are ready to pass on`,
  },
};

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
const people = (count: number) => counted(count, 'person', 'people');
const accounts = (count: number) => counted(count, 'account', 'accounts');

const NO_MAIL_SERVER = 'Email isn’t set up, so you pass the emails on yourself.';

type QuestionProps = { asked: Asked; onClose: () => void; onDone: (done: ManyDone<string>) => void };

function Question({ asked, onClose, onDone }: QuestionProps) {
  const { change, clientId, people: chosenPeople } = asked;
  const { sendsMail } = useSettings();
  const levels = useQuery(apiQuery('GET /api/admin/transmission-levels'));
  const [chosen, setChosen] = useState<number[]>([]);
  const takesLevels = change === 'grant' || change === 'revoke';
  const { title, label, confirm = label, done, note, failed } = CHANGES[change];
  const names = new Map(chosenPeople);
  const isOne = chosenPeople.length === 1;
  const sending = useMutation({
    mutationFn: () =>
      inParts([...names.keys()], MANY_USERS_MAX, (userIds) =>
        call('POST /api/admin/users/changes', {
          body: { userIds, change, clientId, transmissionLevels: takesLevels ? chosen : [] },
        }),
      ),
    meta: { refreshes: ['/api/admin/users', '/api/admin/mail', '/api/admin/audit-log'] },
    onSuccess: (results) => {
      const { failures } = manyDone(results, names, '');
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
      title={title(isOne ? chosenPeople[0]![1] : people(chosenPeople.length), isOne)}
      {...(note && {
        description: change === 'mail' && !sendsMail ? `${note(isOne)} ${NO_MAIL_SERVER}` : note(isOne),
      })}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant={change === 'disable' ? 'danger' : 'primary'}
            busy={sending.isPending}
            isSpent={takesLevels && chosen.length === 0}
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
          {whyAnd(
            sending.error,
            'That didn’t work.',
            'You can safely press the button again. Nobody is changed or emailed twice.',
          )}
        </Notice>
      )}
    </Dialog>
  );
}
