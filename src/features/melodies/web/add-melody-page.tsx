import { PageHeading } from '../../../platform/web/ui/page-heading.tsx';

export default function AddMelodyPage() {
  return <PageHeading title="Add New Melody" />;
}
