import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { TeacherOnly } from '#web/layout/by-role.tsx';
import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import { createLazyComponent } from '#web/navigation/lazy-component.ts';
import { createApiQuery } from '#web/api/query-client.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import { Link } from 'wouter';
import { LeaveGuard } from '#web/ui/leave-guard.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { Melody } from '../contract.ts';
import { MelodyForm } from './melody-form.tsx';
import { ApproximateSeekingNotice } from './approximate-seeking-notice.tsx';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import { useMelodyForm } from './use-melody-form.ts';

export default function AddMelodyPage() {
  return (
    <TeacherOnly title="Access Denied" text="Only the teacher can add melodies.">
      <AddMelody />
    </TeacherOnly>
  );
}

function AddMelody() {
  const levels = useQuery(createApiQuery('GET /api/admin/transmission-levels'));
  return (
    // While the teacher reviews an import, the introduction is hidden to make room for the table.
    <div className="has-data-reviewing:[&_.introduction]:hidden">
      <PageHeading title="Add New Melody">
        <span className="introduction">Add words, audio and a level. Only title and level are required.</span>
      </PageHeading>
      {levels.data ? (
        <AddModeTabs levels={levels.data} />
      ) : levels.isError ? (
        <LoadFailure sentence="The transmission levels couldn’t be loaded." of={levels} />
      ) : (
        <SkeletonList label="Loading the form..." count={5} className="measure" itemClassName="h-20" />
      )}
    </div>
  );
}

type AddMode = 'one' | 'folder';

function AddModeTabs({ levels }: { levels: readonly Level[] }) {
  const [mode, setMode] = useState<AddMode>('one');
  // The folder tab loads when it is first opened. It then stays mounted, so that its state is kept.
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <Tabs<AddMode>
      label="How many to add"
      value={mode}
      onChange={(chosen) => {
        setMode(chosen);
        if (chosen === 'folder') setWasOpened(true);
      }}
      className="[&>[role=tablist]]:mb-6 [&>[role=tablist]]:max-w-md lg:has-data-reviewing:[&>[role=tablist]]:ms-auto lg:has-data-reviewing:[&>[role=tablist]]:-mt-20 lg:has-data-reviewing:[&>[role=tablist]]:mb-0"
      tabs={[
        { value: 'one', label: 'One melody', panel: <AddMelodyForm levels={levels} /> },
        { value: 'folder', label: 'A folder', panel: wasOpened && <FolderTab levels={levels} /> },
      ]}
    />
  );
}

const MelodyImportPanel = createLazyComponent(() => import('../imports/web/melody-import-panel.tsx'));

const FolderTab = (props: { levels: readonly Level[] }) => (
  <LazyBoundary
    part={MelodyImportPanel}
    fallback={<SkeletonList count={1} className="max-w-3xl" itemClassName="h-64" />}
    failure="The folder import couldn’t be loaded."
    {...props}
  />
);

function AddMelodyForm({ levels }: { levels: readonly Level[] }) {
  const form = useMelodyForm(null, () => undefined);
  const { save, wouldLose } = form;
  return (
    <>
      <MelodyForm form={form} levels={levels} melody={null}>
        {save.isSuccess && <AddedNotice melody={save.data} />}
      </MelodyForm>
      <LeaveGuard
        isActive={wouldLose}
        sentence="Leave without adding this melody?"
        note="What you typed is saved on this device. You’ll have to choose the files again."
      />
    </>
  );
}

function AddedNotice({ melody }: { melody: Melody }) {
  const isHeard = melody.audioUrl !== null;
  const { data } = useQuery({
    ...createApiQuery('GET /api/melodies/{id}', { params: { id: melody.id } }),
    enabled: isHeard,
  });
  return (
    <>
      <Notice tone="success" title="Melody added successfully">
        “<span {...getLangProps(melody.title)}>{melody.title}</span>” has been added to the library.{' '}
        <Link href="/melodies" className="link">
          View it in the library
        </Link>
      </Notice>
      {data && !data.seeksExactly && <ApproximateSeekingNotice />}
    </>
  );
}
