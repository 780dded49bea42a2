import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { TeacherOnly } from '#web/layout/by-role.tsx';
import { rowsOf, usePages } from '#web/navigation/pages.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { useIsHeldKnown } from './held/held-replies.ts';
import { Inbox } from './inbox.tsx';
import type { SungMelodyComponent } from './reply-card.tsx';
import { useOrphanedReplies } from './orphaned/use-orphaned-replies.ts';
import { draftsQuery } from '../draft/use-reply-draft.ts';

type InboxPageProps = { SungMelody: SungMelodyComponent };

export function InboxPage(props: InboxPageProps) {
  return (
    <TeacherOnly title="Access Denied" text="Only the teacher hears what students submit.">
      <InboxContent {...props} />
    </TeacherOnly>
  );
}

function InboxContent({ SungMelody }: InboxPageProps) {
  const pages = usePages('GET /api/recordings/pending');
  // A recording that was answered a moment ago is still pending: it would be shown as waiting.
  const isHeldKnown = useIsHeldKnown();
  // After the held replies: one that is taken back meanwhile is held in one answer, or a draft in the other.
  const drafts = useQuery({ ...draftsQuery, enabled: isHeldKnown });
  const pending = useMemo(() => pages.data && rowsOf(pages.data), [pages.data]);
  const orphaned = useOrphanedReplies(pending, !pages.hasNextPage, drafts.data);
  // That more could not be loaded is said at the end of the list.
  const failed = pages.isError && !pages.isFetchNextPageError ? pages : drafts.isError ? drafts : null;
  const failure = failed && <LoadFailure sentence="The recordings could not be loaded." of={failed} />;
  // Earlier data stays on the page if a refetch fails, with everything typed there.
  if (pages.data && pending && drafts.data && isHeldKnown)
    return <Inbox {...{ pages, pending, orphaned, failure, SungMelody }} />;
  return (
    <>
      <PageHeading title="Student Submissions">Oldest first</PageHeading>
      {failure || (
        <SkeletonList label="Loading the recordings..." className="lg:ms-80" itemClassName="h-120" />
      )}
    </>
  );
}
