import { Plus } from 'lucide-react';
import { usePathExists } from '#web/navigation/existing-paths.ts';
import { useUser } from '#web/api/session.ts';
import { ButtonLink } from '#web/ui/button.tsx';

export function AddMelodyLink({ children }: { children: string }) {
  const isAdmin = useUser().role === 'admin';
  const exists = usePathExists('/admin/add-melody');
  if (!isAdmin || !exists) return null;
  return (
    <ButtonLink href="/admin/add-melody" icon={<Plus />} className="max-sm:px-3 max-sm:[&>svg]:hidden">
      {children}
    </ButtonLink>
  );
}
