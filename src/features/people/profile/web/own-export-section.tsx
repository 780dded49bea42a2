import { useRef } from 'react';
import { useUser } from '#web/api/session.ts';
import { useFocusOnHash } from '#web/navigation/focus-on-hash.ts';
import { Card } from '#web/ui/card.tsx';
import { OWN_DATA_ANCHOR } from '../limits.ts';
import { StudentExportButton } from './student-export-button.tsx';

/** Lets a student download their own data. Renders nothing for admins, who have no recordings. */
export function OwnExportSection() {
  const { id, role } = useUser();
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusOnHash(OWN_DATA_ANCHOR, heading);
  if (role === 'admin') return null;
  return (
    <Card as="section" aria-labelledby={OWN_DATA_ANCHOR}>
      <h2 ref={heading} id={OWN_DATA_ANCHOR} tabIndex={-1} className="text-2xl">
        Your data
      </h2>
      <p className="mt-1 text-soft">
        Your recordings, your messages and the feedback you received, in one ZIP file. Melodies from the
        library aren’t included.
      </p>
      <StudentExportButton studentId={id}>Download your data</StudentExportButton>
    </Card>
  );
}
