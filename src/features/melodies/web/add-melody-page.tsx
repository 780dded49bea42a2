import { useQuery } from '@tanstack/react-query';
import { TeacherOnly } from '../../../platform/web/layout/by-role.tsx';
import { apiQuery } from '../../../platform/web/query-client.ts';
import { PageHeading } from '../../../platform/web/ui/page-heading.tsx';
import { SkeletonList } from '../../../platform/web/ui/skeleton.tsx';
import { LoadFailure } from '../../../platform/web/ui/load-failure.tsx';
import { AddMelodyForm } from './add-melody-form.tsx';

export default function AddMelodyPage() {
  return (
    <TeacherOnly title="Access Denied" text="Only the teacher adds melodies.">
      <AddMelody />
    </TeacherOnly>
  );
}

function AddMelody() {
  const levels = useQuery(apiQuery('GET /api/admin/transmission-levels'));
  return (
    <>
      <PageHeading title="Add New Melody">
        Its words, its sound and who may hear it. Only title and level are needed to begin with.
      </PageHeading>
      {levels.data ? (
        <AddMelodyForm levels={levels.data} />
      ) : levels.isError ? (
        <LoadFailure
          sentence="The transmission levels could not be loaded."
          error={levels.error}
          isTrying={levels.isFetching}
          onTryAgain={() => void levels.refetch()}
        />
      ) : (
        <SkeletonList label="Loading the form..." count={5} className="measure" itemClassName="h-20" />
      )}
    </>
  );
}
