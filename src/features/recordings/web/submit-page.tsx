import { useState } from 'react';
import { StudentsOnly } from '../../../platform/web/layout/by-role.tsx';
import { PageHeading } from '../../../platform/web/ui/page-heading.tsx';
import { BackToPlayer } from './back-to-player.tsx';
import { SubmitForm } from './submit-form.tsx';
import { Submitted } from './submitted.tsx';

export default function SubmitPage() {
  return (
    <StudentsOnly title="Admin Access" text="This section is for students only.">
      <Submission />
    </StudentsOnly>
  );
}

function Submission() {
  const [isDone, setIsDone] = useState(false);
  return (
    <>
      <PageHeading title="Submit Recording" aside={<BackToPlayer />} />
      {isDone ? (
        <Submitted onAnother={() => setIsDone(false)} />
      ) : (
        <SubmitForm onDone={() => setIsDone(true)} />
      )}
    </>
  );
}
