import { PageHeading } from '../../../platform/web/ui/page-heading.tsx';

export default function UsersPage() {
  return <PageHeading title="User Management" />;
}
