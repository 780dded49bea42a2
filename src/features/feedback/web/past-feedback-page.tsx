import { PageHeading } from '../../../platform/web/ui/page-heading.tsx';

export default function PastFeedbackPage() {
  return <PageHeading title="Past Feedback" />;
}
