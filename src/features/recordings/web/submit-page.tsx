import { PageHeading } from '../../../platform/web/ui/page-heading.tsx';

export default function SubmitPage() {
  return <PageHeading title="Submit Recording" />;
}
