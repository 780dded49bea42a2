import { Mic } from 'lucide-react';
import { usePathExists } from '#web/navigation/existing-paths.ts';
import { usePageSettings } from '#web/api/page-data.ts';
import { useUser } from '#web/api/session.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { getRecordingPathFromPlayer } from '#features/recordings/web/practice-paths.ts';

/** Link to the recorder with this melody chosen. Hidden from teachers, who submit nothing. */
export function RecordLink({ melodyId }: { melodyId: number }) {
  const isAdmin = useUser().role === 'admin';
  const exists = usePathExists('/submit');
  const { teacherTitle } = usePageSettings();
  if (isAdmin || !exists) return null;
  return (
    <ButtonLink href={getRecordingPathFromPlayer(melodyId)} icon={<Mic />}>
      Record for {teacherTitle}
    </ButtonLink>
  );
}
