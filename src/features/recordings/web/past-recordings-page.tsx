import { PageHeading } from '../../../platform/web/ui/page-heading.tsx';

export default function PastRecordingsPage() {
  return <PageHeading title="Past Recordings" />;
}
