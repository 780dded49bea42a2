import { useQuery } from '@tanstack/react-query';
import { formatByteSize } from '#shared/byte-size.ts';
import { createApiQuery } from '#web/api/query-client.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { ExactDate, TimeAgo } from '#web/ui/time-ago.tsx';

/** Shows when the last backup was taken, and which older ones are kept for damaged files. */
export function BackupsSection() {
  const backups = useQuery({ ...createApiQuery('GET /api/admin/backups'), staleTime: 0 });
  if (backups.isError && !backups.data)
    return <LoadFailure sentence="The backups couldn’t be loaded." of={backups} />;
  if (!backups.data) return null;
  const { isNightly, latest, keptForDamage, restoreProvenAt } = backups.data;
  return (
    <section id="backups" aria-labelledby="backups-heading" className="min-w-0 scroll-mt-24">
      <h2 id="backups-heading" tabIndex={-1} className="mb-3 text-2xl">
        Backups
      </h2>
      <p className="measure text-soft">
        {!isNightly ? (
          'No backup yet. To back up every night, ask whoever runs the server to set BACKUP_DIR.'
        ) : latest ? (
          <>
            The last backup was taken <TimeAgo time={latest.takenAt} />. It is {formatByteSize(latest.bytes)}{' '}
            and was checked.
          </>
        ) : (
          'The first backup will be taken within the hour.'
        )}
      </p>
      {isNightly && (
        <p className="measure mt-2 text-soft">
          {restoreProvenAt ? (
            <>
              Last proven restore: <TimeAgo time={restoreProvenAt} />. Once a month, the newest backup is
              restored in a test.
            </>
          ) : (
            'No backup has been restored in a test yet. This happens once a month, after a nightly backup.'
          )}
        </p>
      )}
      {keptForDamage.map((time) => (
        <p key={time} className="measure mt-2 text-soft">
          The backup from <ExactDate time={time} /> is kept too, because it has undamaged copies of files that
          are damaged now. Please show this to whoever runs the server.
        </p>
      ))}
    </section>
  );
}
