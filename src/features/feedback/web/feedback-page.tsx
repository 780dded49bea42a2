import { PageHeading } from '../../../platform/web/ui/page-heading.tsx';

export default function FeedbackPage() {
  return <PageHeading title="View Feedback" />;
}
