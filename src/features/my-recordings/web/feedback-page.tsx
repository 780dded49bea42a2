import { useState } from 'react';
import { getLoadedRows, usePagedList } from '#web/navigation/paged-list.ts';
import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import { createLazyComponent } from '#web/navigation/lazy-component.ts';
import { StudentOnly } from '#web/layout/by-role.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { usePageSettings } from '#web/api/page-data.ts';
import { StudentHistory } from './student-history.tsx';
import { useRecordingIdFromUrl } from '#features/feedback/web/feedback-url.ts';
import { getFeedbackHeadingId, StudentFeedbackCard } from './student-feedback-card.tsx';

const OwnAgreements = createLazyComponent(
  () => import('#features/teaching-notes/agreements/web/own-agreements.tsx'),
);

export default function FeedbackPage() {
  const { teacherTitle } = usePageSettings();
  const asked = useRecordingIdFromUrl();
  const pages = usePagedList('GET /api/feedback');
  // If there was unread feedback, the feedback list stays above the agreements, even after all feedback has
  // been read.
  const [hadNew, setHadNew] = useState(false);
  if (!hadNew && getLoadedRows(pages.data).some(({ status }) => status === 'unread')) setHadNew(true);
  const agreements = !pages.isPending && <LazyBoundary part={OwnAgreements} />;
  return (
    <StudentOnly title="Admin Access" text="This section is for students only.">
      <PageHeading title="View Feedback" />
      {!hadNew && agreements}
      <StudentHistory
        key={asked}
        ledTo={
          asked === null
            ? undefined
            : {
                is: ({ recording }) => recording.id === asked,
                headingId: ({ id }) => getFeedbackHeadingId(id),
              }
        }
        route="GET /api/feedback"
        failure="We couldn’t load your feedback."
        empty={
          <EmptyState
            title="No Feedback Yet"
            action={
              <ButtonLink href="/submit" variant="primary">
                Submit Recording
              </ButtonLink>
            }
          >
            When {teacherTitle} replies to one of your recordings, you’ll find it here.
          </EmptyState>
        }
        item={(feedback) => <StudentFeedbackCard key={feedback.id} feedback={feedback} />}
      />
      {hadNew && <div className="mt-8">{agreements}</div>}
    </StudentOnly>
  );
}
