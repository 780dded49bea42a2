import { clsx } from 'clsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { TeacherOnly } from '#web/layout/by-role.tsx';
import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import { createLazyComponent } from '#web/navigation/lazy-component.ts';
import { usePageSettings } from '#web/api/page-data.ts';
import { useUser } from '#web/api/session.ts';
import { createApiQuery } from '#web/api/query-client.ts';
import { Card } from '#web/ui/card.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import { MailNotice } from '#features/messages/mail/web/mail-notice.tsx';
import { CreateUserForm } from '#features/people/users/web/create-user-form.tsx';
import { hasUnfinishedPeopleImport } from './import/import-draft.ts';
import type { PeopleImportPanelProps } from './import/import-panel.tsx';
import { InviteForm } from './invite-form.tsx';

export default function InvitePage() {
  return (
    <TeacherOnly title="Admin Access Required" text="This section is for administrators only.">
      <InviteContent />
    </TeacherOnly>
  );
}

function InviteContent() {
  const levels = useQuery(createApiQuery('GET /api/admin/transmission-levels'));
  return (
    <div className="@container relative @min-[58rem]:[&>:first-child]:mb-2 @min-[58rem]:[&>:nth-child(2)]:not-empty:mt-6 @min-[58rem]:[&>:nth-child(2)]:not-empty:mb-2">
      <PageHeading title="Invite Users" />
      <MailNotice />
      {levels.data ? (
        <InviteTabs levels={levels.data} />
      ) : levels.isError ? (
        <LoadFailure sentence="Couldn’t load the transmission levels." of={levels} />
      ) : (
        <SkeletonList count={2} label="Loading..." className="max-w-3xl gap-8" itemClassName="h-96" />
      )}
    </div>
  );
}

// If there is room, the tabs are beside the page's heading, so that more of a list is visible.
const besideHeadingClass =
  '@min-[58rem]:[&>[role=tablist]]:absolute @min-[58rem]:[&>[role=tablist]]:start-[calc(var(--text-3xl)*6.25)] @min-[58rem]:[&>[role=tablist]]:-top-1 @min-[58rem]:[&>[role=tablist]]:w-64';

type InviteMode = 'single' | 'list';

function InviteTabs({ levels }: { levels: readonly Level[] }) {
  const userId = useUser().id;
  // After a reload, the tab with an unfinished list is open, because the first tab would hide the list.
  const [how, setHow] = useState<InviteMode>(() => (hasUnfinishedPeopleImport(userId) ? 'list' : 'single'));
  const [pasted, setPasted] = useState<string | null>(null);
  // The panel's code is loaded when the tab is first opened. From then on the panel stays mounted, to keep
  // what was typed.
  const [wasOpened, setWasOpened] = useState(how === 'list');
  const choose = (chosen: InviteMode) => {
    setHow(chosen);
    if (chosen === 'list') setWasOpened(true);
  };
  const openTable = (text: string) => {
    setPasted(text);
    choose('list');
  };
  return (
    <Tabs<InviteMode>
      label="How to invite"
      value={how}
      onChange={choose}
      className={clsx('[&>[role=tablist]]:mb-6 [&>[role=tablist]]:max-w-md', besideHeadingClass)}
      tabs={[
        {
          value: 'single',
          label: 'One by one',
          panel: <OneByOneTab levels={levels} onTable={openTable} />,
        },
        {
          value: 'list',
          label: 'From a list',
          panel: wasOpened && (
            <ListTab levels={levels} pasted={pasted} onPastedTaken={() => setPasted(null)} />
          ),
        },
      ]}
    />
  );
}

const PeopleImportPanel = createLazyComponent(() => import('./import/import-panel.tsx'));

const ListTab = (props: PeopleImportPanelProps) => (
  <LazyBoundary
    part={PeopleImportPanel}
    fallback={<SkeletonList count={1} className="max-w-3xl" itemClassName="h-96" />}
    failure="The list import couldn’t be loaded."
    {...props}
  />
);

type OneByOneTabProps = {
  levels: readonly Level[];
  /** Called with a table that is pasted into a field. The field keeps its old value. */
  onTable: (text: string) => void;
};

const OneByOneTab = ({ levels, onTable }: OneByOneTabProps) => (
  <div
    onPaste={(event) => {
      const text = event.clipboardData.getData('text/plain');
      if (!isTable(text)) return;
      event.preventDefault();
      onTable(text);
    }}
    className="grid max-w-3xl grid-cols-[minmax(0,1fr)] items-start gap-8 @min-[58rem]:mt-5 @min-[58rem]:max-w-none @min-[58rem]:grid-cols-2"
  >
    <Card as="section" aria-labelledby="create-user">
      <h2 id="create-user" className="text-2xl">
        Create User with Credentials
      </h2>
      <p className="mt-1 mb-6 text-soft">A password is generated and shown once. Pass it on yourself.</p>
      <CreateUserForm levels={levels} />
    </Card>
    <Card as="section" aria-labelledby="invitations">
      <h2 id="invitations" className="text-2xl">
        Create User Invitations
      </h2>
      <InvitesExplanation />
      <InviteForm levels={levels} />
    </Card>
  </div>
);

/** Returns whether the text fills more than one cell or row. */
const isTable = (text: string) => /\S[^\S\t]*[\t\r\n]\s*\S/.test(text);

function InvitesExplanation() {
  const { sendsMail } = usePageSettings();
  return (
    <p className="mt-1 mb-6 text-soft">
      {sendsMail
        ? 'Each person you invite gets an email with a username and password.'
        : 'We’ll write an email for each person, with a username and password. You pass it on.'}
    </p>
  );
}
