import { PageHeading } from '../../../platform/web/ui/page-heading.tsx';

export default function InboxPage() {
  return <PageHeading title="Student Submissions" />;
}
