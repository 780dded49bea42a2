import { Inbox, Library, type LucideIcon, MessageCircle, Mic, Users } from 'lucide-react';
import { usePageSettings } from '#web/api/page-data.ts';
import { useUser } from '#web/api/session.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';

type Step = { title: string; text: string; icon: LucideIcon; link: { label: string; href: string } | null };

/** Links to the main parts of the app, by role. */
export function MainPageLinks() {
  const { teacherTitle } = usePageSettings();
  const isAdmin = useUser().role === 'admin';
  const steps = [melodies, ...(isAdmin ? [submissions] : createStudentSteps(teacherTitle)), sangha];
  return (
    <section aria-labelledby="journey">
      <h2 id="journey" className="mb-6 text-2xl">
        Your Sacred Journey
      </h2>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-5 sm:grid-cols-2">
        {steps.map((step) => (
          <StepCard key={step.title} step={step} />
        ))}
      </ul>
    </section>
  );
}

function StepCard({ step: { title, text, icon: Icon, link } }: { step: Step }) {
  return (
    <Card as="li" className="flex flex-col">
      <div className="flex items-center gap-3">
        <Icon className="size-6 shrink-0 text-action" strokeWidth={1.75} />
        <h3 className="min-w-0 text-xl wrap-anywhere">{title}</h3>
      </div>
      <p className="mt-2 mb-5 text-soft">{text}</p>
      <div className="mt-auto">
        {link ? (
          <ButtonLink href={link.href}>{link.label}</ButtonLink>
        ) : (
          <Button disabled>Coming Soon</Button>
        )}
      </div>
    </Card>
  );
}

const melodies: Step = {
  title: 'Sacred Melodies',
  text: 'Listen to the melodies, follow their words line by line, and sing along.',
  icon: Library,
  link: { label: 'Explore Library', href: '/melodies' },
};

const createStudentSteps = (teacherTitle: string): Step[] => [
  {
    title: `Submit to ${teacherTitle}`,
    text: `Record up to 2 minutes of practice and send it to ${teacherTitle}.`,
    icon: Mic,
    link: { label: 'Submit Recording', href: '/submit' },
  },
  {
    title: 'Your Feedback',
    text: `${teacherTitle}’s feedback on your recordings.`,
    icon: MessageCircle,
    link: { label: 'View Feedback', href: '/feedback' },
  },
];

const submissions: Step = {
  title: 'Student Submissions',
  text: 'Listen to waiting recordings, and reply in writing or by voice.',
  icon: Inbox,
  link: { label: 'Admin Inbox', href: '/admin' },
};

const sangha: Step = {
  title: 'Sangha Community',
  text: 'A place to meet the other singers.',
  icon: Users,
  link: null,
};
