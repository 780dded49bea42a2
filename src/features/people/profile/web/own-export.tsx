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
        Everything that is yours
      </h2>
      <p className="mt-1 text-soft">
        Your recordings with your messages, and the replies to them in writing and in voice, as one ZIP file.
        The songs of the library are not in it.
      </p>
      <StudentExport studentId={id}>Download everything</StudentExport>
    </Card>
  );
}
