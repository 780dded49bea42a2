import { StudentOnly } from '#web/layout/by-role.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { StudentHistory } from './student-history.tsx';
import { QueuedRecordings } from './queued-recordings.tsx';
import { RecordingCard } from './recording-card.tsx';

export default function PastRecordingsPage() {
  return (
    <StudentOnly title="Admin Access" text="This section is for students only.">
      <PageHeading title="Past Recordings" />
      <div className="max-w-3xl">
        <QueuedRecordings />
      </div>
      <StudentHistory
        route="GET /api/student/recordings"
        failure="We couldn’t load your recordings."
        empty={
          <EmptyState
            title="No recordings yet"
            action={
              <ButtonLink href="/submit" variant="primary">
                Submit Your First Recording
              </ButtonLink>
            }
          >
            You’ll find the recordings you send to your teacher here.
          </EmptyState>
        }
        item={(recording) => <RecordingCard key={recording.id} recording={recording} />}
      />
    </StudentOnly>
  );
}
