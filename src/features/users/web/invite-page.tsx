import { PageHeading } from '../../../platform/web/ui/page-heading.tsx';

export default function InvitePage() {
  return <PageHeading title="Invite Users" />;
}
