import { TeacherInbox } from '#features/feedback/web/inbox/teacher-inbox.tsx';
import { RecordingMelody } from '#features/teaching-notes/web/recording-melody.tsx';

/** The inbox, with the teaching notes beside the text of each melody. */
export default function InboxPage() {
  return <TeacherInbox SungMelody={RecordingMelody} />;
}
