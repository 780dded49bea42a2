import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { TeacherOnly } from '#web/layout/by-role.tsx';
import { getLoadedRows, usePagedList } from '#web/navigation/paged-list.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { useAreHeldRepliesSettled } from './held/held-replies.ts';
import { BESIDE_ACCOUNT_MENU_CLASSES, Inbox } from './inbox.tsx';
import type { SungMelodyComponent } from './reply-card.tsx';
import { useRecordingsWithOrphanedReply } from './orphaned/use-orphaned-replies.ts';
import { replyDraftsQuery } from '../draft/use-reply-draft.ts';

type TeacherInboxProps = { SungMelody: SungMelodyComponent };

export function TeacherInbox(props: TeacherInboxProps) {
  return (
    <TeacherOnly title="Access Denied" text="Only the teacher can see students’ recordings.">
      <InboxContent {...props} />
    </TeacherOnly>
  );
}

function InboxContent({ SungMelody }: TeacherInboxProps) {
  const pages = usePagedList('GET /api/recordings/pending');
  // Waits for the held replies. Until they are loaded, their recordings, which are still pending, would be
  // shown as waiting.
  const areHeldRepliesLoaded = useAreHeldRepliesSettled();
  // Loads the drafts after the held replies, so that a reply undone in between is in at least one of the two
  // responses.
  const drafts = useQuery({ ...replyDraftsQuery, enabled: areHeldRepliesLoaded });
  const pending = useMemo(() => pages.data && getLoadedRows(pages.data), [pages.data]);
  const orphaned = useRecordingsWithOrphanedReply(pending, !pages.hasNextPage, drafts.data);
  // Ignores the failure of a further page, because the end of the list shows it.
  const failed = pages.isError && !pages.isFetchNextPageError ? pages : drafts.isError ? drafts : null;
  const failure = failed && <LoadFailure sentence="The recordings could not be loaded." of={failed} />;
  // Shows the earlier data if a refetch fails, so that everything typed stays on the page.
  if (pages.data && pending && drafts.data && areHeldRepliesLoaded)
    return <Inbox {...{ pages, pending, orphaned, failure, SungMelody }} />;
  return (
    <div className={BESIDE_ACCOUNT_MENU_CLASSES}>
      <PageHeading title="Student Submissions" isLow>
        Oldest first
      </PageHeading>
      {failure || (
        <SkeletonList label="Loading the recordings..." className="lg:ms-74" itemClassName="h-120" />
      )}
    </div>
  );
}
