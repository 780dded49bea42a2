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
import { FAILED as STATUS_FAILED } from './user-actions.tsx';
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
    // The idempotency key is created here, so that pressing again after a lost answer sends the same key.
    setAsked({ change, clientId: newId(), people: [...ticked] });
  };
  const all = shown.slice(0, MANY_USERS_MAX);
  return (
    <div className="mb-3">
      <ChosenBar
        count={ticked.size}
        all={all.length < shown.length ? `Choose ${all.length}` : 'Choose all'}
        none="Choose nobody"
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
        Mail a new password
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

type Wording = { label: string; title: string; done: string; note: string; failed?: string };
const CHANGES: Record<ManyChange, Wording> = {
  grant: {
    label: 'Grant',
    title: 'Grant levels to',
    done: 'given the levels',
    note: '',
    failed: failureSentence(true),
  },
  revoke: {
    label: 'Revoke',
    title: 'Revoke levels from',
    done: 'without the levels now',
    note: '',
    failed: failureSentence(false),
  },
  disable: {
    label: 'Disable',
    title: 'Disable the accounts of',
    done: 'disabled',
    note: 'All their devices are signed out at once, and there is no way in until you enable them again. Nothing is deleted.',
    failed: STATUS_FAILED,
  },
  enable: {
    label: 'Enable',
    title: 'Enable the accounts of',
    done: 'enabled',
    note: 'They can sign in again.',
    failed: STATUS_FAILED,
  },
  mail: {
    label: 'Mail again',
    title: 'Mail new passwords to',
    done: 'mailed',
    note: 'Each gets a mail with a new password. The one that they have had is no longer valid, and all their devices are signed out.',
  },
};

type QuestionProps = { asked: Asked; onClose: () => void; onDone: (done: ManyDone<string>) => void };

function Question({ asked, onClose, onDone }: QuestionProps) {
  const { change, clientId, people } = asked;
  const { sendsMail } = useSettings();
  const levels = useQuery(apiQuery('GET /api/admin/transmission-levels'));
  const [chosen, setChosen] = useState<number[]>([]);
  const takesLevels = change === 'grant' || change === 'revoke';
  const { title, label, done, note, failed } = CHANGES[change];
  const names = new Map(people);
  const sending = useMutation({
    mutationFn: () =>
      inParts([...names.keys()], MANY_USERS_MAX, (userIds) =>
        call('POST /api/admin/users/changes', {
          body: { userIds, change, clientId, transmissionLevels: takesLevels ? chosen : [] },
        }),
      ),
    meta: { refreshes: ['/api/admin/users', '/api/admin/mail', '/api/admin/audit-log'] },
    onSuccess: (results) => onDone(manyDone(results, names, done)),
  });
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={`${title} ${people.length === 1 ? people[0]![1] : `${people.length} people`}${takesLevels ? '' : '?'}`}
      {...(!takesLevels && {
        description:
          change === 'mail' && !sendsMail
            ? `${note} There is no mail server: the mails wait for you to pass them on.`
            : note,
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
            {label}
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
            'This did not work.',
            'Press again: what was done already is not done twice.',
          )}
        </Notice>
      )}
    </Dialog>
  );
}
