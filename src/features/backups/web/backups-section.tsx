import { useQuery } from '@tanstack/react-query';
import { byteSizeInWords } from '../../../platform/contract/byte-size.ts';
import { apiQuery } from '../../../platform/web/query-client.ts';
import { LoadFailure } from '../../../platform/web/ui/load-failure.tsx';
import { TimeAgo } from '../../../platform/web/ui/time-ago.tsx';

/** When the last backup was taken; nothing where none is taken by the program. */
export function BackupsSection() {
  const backups = useQuery({ ...apiQuery('GET /api/admin/backups'), staleTime: 0 });
  if (backups.isError && !backups.data)
    return (
      <LoadFailure
        sentence="The state of the backups could not be loaded."
        error={backups.error}
        isTrying={backups.isFetching}
        onTryAgain={() => void backups.refetch()}
      />
    );
  if (!backups.data?.isNightly) return null;
  const { latest } = backups.data;
  return (
    <section id="backups" aria-labelledby="backups-heading" className="min-w-0 scroll-mt-24">
      <h2 id="backups-heading" tabIndex={-1} className="mb-3 text-2xl">
        Backups
      </h2>
      <p className="measure text-soft">
        {latest ? (
          <>
            The last one was taken <TimeAgo time={latest.takenAt} />, is {byteSizeInWords(latest.bytes)} long,
            and was read back whole.
          </>
        ) : (
          'The first one will be taken within the hour.'
        )}
      </p>
    </section>
  );
}
