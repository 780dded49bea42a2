import { useState } from 'react';
import { ArrowLeft } from 'lucide-react';
import { StudentOnly } from '#web/layout/by-role.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { QueuedRecordings } from '../queued-recordings.tsx';
import { SubmitForm } from './submit-form.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { usePlayerReturnPath } from './use-player-return-path.ts';

export default function SubmitPage() {
  return (
    <StudentOnly title="Admin Access" text="This section is for students only.">
      <Submission />
    </StudentOnly>
  );
}

function Submission() {
  // Each recording gets a new form, so that it starts empty.
  const [count, setCount] = useState(0);
  const [formsTake, setFormsTake] = useState<string | null>(null);
  const player = usePlayerReturnPath();
  const another = () => {
    setCount(count + 1);
    scrollTo(0, 0);
  };
  return (
    <>
      <PageHeading title="Submit Recording" aside={player && <BackToPlayer href={player} />} />
      <QueuedRecordings except={formsTake} />
      <SubmitForm key={count} onAnother={another} onTake={setFormsTake} />
    </>
  );
}

const BackToPlayer = ({ href }: { href: string }) => (
  <ButtonLink href={href} variant="quiet" icon={<ArrowLeft />}>
    Back to the player
  </ButtonLink>
);
