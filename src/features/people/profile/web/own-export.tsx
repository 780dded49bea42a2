import { useUser } from '#web/api/session.ts';
import { Card } from '#web/ui/card.tsx';
import { StudentExport } from './student-export.tsx';

/** Lets a student download their own data. Admins have no recordings. */
export function OwnExport() {
  const { id, role } = useUser();
  if (role === 'admin') return null;
  return (
    <Card as="section" aria-labelledby="own-export">
      <h2 id="own-export" className="text-2xl">
        Your data
      </h2>
      <p className="mt-1 text-soft">
        Your recordings, your messages and the feedback you received, in one ZIP file. Melodies from the
        library aren’t included.
      </p>
      <StudentExport studentId={id}>Download your data</StudentExport>
    </Card>
  );
}
