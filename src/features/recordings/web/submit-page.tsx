import { useState } from 'react';
import { StudentsOnly } from '../../../platform/web/layout/by-role.tsx';
import { PageHeading } from '../../../platform/web/ui/page-heading.tsx';
import { BackToPlayer } from './back-to-player.tsx';
import { OnThisDevice } from './on-this-device.tsx';
import { SubmitForm } from './submit-form.tsx';

export default function SubmitPage() {
  return (
    <StudentsOnly title="Admin Access" text="This section is for students only.">
      <Submission />
    </StudentsOnly>
  );
}

function Submission() {
  // Each recording has a form of its own, so that nothing of the last one is left in it.
  const [count, setCount] = useState(0);
  const [formsTake, setFormsTake] = useState<string | null>(null);
  const another = () => {
    setCount(count + 1);
    scrollTo(0, 0);
  };
  return (
    <>
      <PageHeading title="Submit Recording" aside={<BackToPlayer />} />
      <OnThisDevice except={formsTake} />
      <SubmitForm key={count} onAnother={another} onTake={setFormsTake} />
    </>
  );
}
