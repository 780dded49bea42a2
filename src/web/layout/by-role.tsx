import type { ReactNode } from 'react';
import { useUser } from '../api/session.ts';
import { ButtonLink } from '../ui/button.tsx';
import { MessagePage } from './message-page.tsx';

type ByRoleProps = { title: string; text: string; children: ReactNode };

/** Shows a page to students, and the given message to the teacher. */
export function StudentOnly({ title, text, children }: ByRoleProps) {
  return useUser().role === 'admin' ? <WrongRoleMessage title={title} text={text} /> : children;
}

/** Shows a page to the teacher, and the given message to everybody else. */
export function TeacherOnly({ title, text, children }: ByRoleProps) {
  return useUser().role === 'admin' ? children : <WrongRoleMessage title={title} text={text} />;
}

const WrongRoleMessage = ({ title, text }: { title: string; text: string }) => (
  <MessagePage
    title={title}
    text={text}
    action={<ButtonLink href="/melodies">Melodies Library</ButtonLink>}
  />
);
