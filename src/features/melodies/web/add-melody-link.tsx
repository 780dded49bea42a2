import { Plus } from 'lucide-react';
import { usePathExists } from '../../../platform/web/existing-paths.ts';
import { useUser } from '../../../platform/web/session.ts';
import { ButtonLink } from '../../../platform/web/ui/button.tsx';

export function AddMelodyLink({ children }: { children: string }) {
  const isAdmin = useUser().role === 'admin';
  const exists = usePathExists('/admin/add-melody');
  if (!isAdmin || !exists) return null;
  return (
    <ButtonLink href="/admin/add-melody" icon={<Plus aria-hidden="true" />}>
      {children}
    </ButtonLink>
  );
}
