import { Fetched } from '../../../platform/web/fetched.tsx';
import { lazyPart } from '../../../platform/web/lazy-page.ts';
import { StudentsOnly } from '../../../platform/web/layout/by-role.tsx';
import { ButtonLink } from '../../../platform/web/ui/button.tsx';
import { EmptyState } from '../../../platform/web/ui/empty-state.tsx';
import { PageHeading } from '../../../platform/web/ui/page-heading.tsx';
import { useSettings } from '../../../platform/web/page-data.ts';
import { StudentHistory } from '../../recordings/web/student-history.tsx';
import { useAskedRecording } from './answer-address.ts';
import { headingIdOf, StudentFeedbackCard } from './student-feedback-card.tsx';

const OwnAgreements = lazyPart(() => import('../../agreements/web/own-agreements.tsx'));

export default function FeedbackPage() {
  const { teacherTitle } = useSettings();
  const asked = useAskedRecording();
  return (
    <StudentsOnly title="Admin Access" text="This section is for students only.">
      <PageHeading title="View Feedback" />
      <Fetched part={OwnAgreements} />
      <StudentHistory
        key={asked}
        ledTo={
          asked === null
            ? undefined
            : { is: ({ recording }) => recording.id === asked, headingId: ({ id }) => headingIdOf(id) }
        }
        route="GET /api/feedback"
        failure="Your feedback could not be loaded."
        empty={
          <EmptyState
            title="No Feedback Yet"
            action={
              <ButtonLink href="/submit" variant="primary">
                Submit Recording
              </ButtonLink>
            }
          >
            When {teacherTitle} has answered one of your recordings, the answer will be here.
          </EmptyState>
        }
        item={(feedback) => <StudentFeedbackCard key={feedback.id} feedback={feedback} />}
      />
    </StudentsOnly>
  );
}
