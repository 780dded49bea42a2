import { useRoleName } from '#web/layout/brand.tsx';
import { Badge } from '#web/ui/badge.tsx';
import type { Role } from '#features/accounts/contract.ts';

export function RoleBadge({ role }: { role: Role }) {
  return <Badge tone={role === 'admin' ? 'waiting' : 'plain'}>{useRoleName(role)}</Badge>;
}

export const AccountStatusBadge = ({ isActive }: { isActive: boolean }) => (
  <Badge tone={isActive ? 'done' : 'danger'}>{isActive ? 'Active' : 'Disabled'}</Badge>
);
