import { PageHeading } from '../../../platform/web/ui/page-heading.tsx';

export default function MelodiesPage() {
  return <PageHeading title="Sacred Melodies" />;
}
