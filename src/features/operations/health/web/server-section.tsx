import { useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { ASK_OPERATOR, formatFileCount } from '#features/messages/notices/web/notice-messages.ts';
import { formatByteSize } from '#shared/byte-size.ts';
import type { ApiResponse } from '#web/api/call.ts';
import { createApiQuery } from '#web/api/query-client.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { TimeAgo } from '#web/ui/time-ago.tsx';

type ServerStatus = ApiResponse<'GET /api/admin/server'>;
type MailOverview = ApiResponse<'GET /api/admin/mail'>;
type Backups = ApiResponse<'GET /api/admin/backups'>;

/** State of each part of the installation, with what to do about a problem. */
export function ServerSection() {
  const status = useQuery({ ...createApiQuery('GET /api/admin/server'), staleTime: 0 });
  const mail = useQuery({ ...createApiQuery('GET /api/admin/mail'), staleTime: 0 });
  const backups = useQuery({ ...createApiQuery('GET /api/admin/backups'), staleTime: 0 });
  const failed = [status, mail, backups].find((each) => each.isError && !each.data);
  if (failed) return <LoadFailure sentence="The state of the server couldn’t be loaded." of={failed} />;
  if (!status.data || !mail.data || !backups.data) return null;
  const { database, media, disk, version } = status.data;
  return (
    <section id="server" aria-labelledby="server-heading" className="min-w-0 scroll-mt-24">
      <h2 id="server-heading" tabIndex={-1} className="mb-3 text-2xl">
        Server
      </h2>
      <dl className="divide-y divide-line border-y border-line">
        <ServerPart name="Database" isWorking={database.isWritable}>
          {database.isWritable
            ? 'Everything can be saved.'
            : `Nothing can be saved right now. Everything saved before is safe. ${ASK_OPERATOR}`}
        </ServerPart>
        <ServerPart name="Stored files" isWorking={media.state === 'ok' && media.damagedFiles === 0}>
          {describeMedia(media)}
        </ServerPart>
        <ServerPart name="Email" isWorking={!needsAttention(mail.data)}>
          {describeEmail(mail.data)}
        </ServerPart>
        <ServerPart name="Backups" isWorking={isBackedUp(backups.data)}>
          <BackupTexts backups={backups.data} />
        </ServerPart>
        {disk && (
          <ServerPart name="Disk" isWorking={!disk.isLow}>
            {`${formatByteSize(disk.freeBytes)} of ${formatByteSize(disk.totalBytes)} are free.`}
            {disk.isLow && ` That is too little, so new recordings and files may be refused. ${ASK_OPERATOR}`}
          </ServerPart>
        )}
        <ServerPart name="Version" isWorking>
          {version}
        </ServerPart>
      </dl>
    </section>
  );
}

type ServerPartProps = { name: string; isWorking: boolean; children: ReactNode };

function ServerPart({ name, isWorking, children }: ServerPartProps) {
  const Icon = isWorking ? CircleCheck : TriangleAlert;
  return (
    <div className="grid gap-x-4 gap-y-1 py-3 sm:grid-cols-[10rem_minmax(0,1fr)]">
      <dt className="flex items-start gap-2 font-semibold">
        <Icon
          aria-hidden="true"
          className={`mt-1 size-4 shrink-0 ${isWorking ? 'text-jade-ink' : 'text-saffron-ink'}`}
        />
        {name}
      </dt>
      <dd className="measure text-soft max-sm:ps-6">{children}</dd>
    </div>
  );
}

function describeMedia({ state, damagedFiles }: ServerStatus['media']): string {
  if (state === 'failed')
    return `Recordings and melodies can’t be played or sent right now. New recordings wait on students’ devices. ${ASK_OPERATOR}`;
  if (damagedFiles > 0)
    return `${formatFileCount(damagedFiles)} missing or damaged. All others can be played. ${ASK_OPERATOR}`;
  return state === 'slow'
    ? 'Recordings and melodies take longer to start than usual.'
    : 'All recordings and melodies can be played.';
}

const needsAttention = ({ outbox, undeliverable, delayed }: MailOverview) =>
  undeliverable > 0 || delayed > 0 || outbox > 0;

const isBackedUp = ({ isNightly, isOverdue, restoreFailedAt }: Backups) =>
  isNightly && !isOverdue && !restoreFailedAt;

function describeEmail({ hasServer, outbox, undeliverable, delayed }: MailOverview): string {
  const count = (emails: number) => (emails === 1 ? '1 email' : `${emails.toLocaleString('en')} emails`);
  if (undeliverable > 0) return `${count(undeliverable)} couldn’t be delivered. See the top of this page.`;
  if (outbox > 0)
    return `${count(outbox)} ${outbox === 1 ? 'waits' : 'wait'} at the top of this page for you to pass ${outbox === 1 ? 'it' : 'them'} on.`;
  if (!hasServer) return 'There is no mail server, so you pass on each email yourself. Nothing is waiting.';
  if (delayed > 0)
    return `${count(delayed)} ${delayed === 1 ? 'is' : 'are'} delayed. We’ll keep trying for a day.`;
  return 'All emails have been sent.';
}

function BackupTexts({ backups }: { backups: Backups }) {
  const { isNightly, isOverdue, latest, restoreProvenAt, restoreFailedAt } = backups;
  if (!isNightly)
    return 'No backup yet. To back up every night, ask whoever runs the server to set BACKUP_DIR.';
  return (
    <>
      <p>
        {latest ? (
          <>
            The last backup was taken <TimeAgo time={latest.takenAt} />. It is {formatByteSize(latest.bytes)}{' '}
            and was checked.
          </>
        ) : isOverdue ? (
          'No backup yet.'
        ) : (
          'The first backup will be taken tonight.'
        )}
        {isOverdue && ' There should be one every night.'}
      </p>
      <p className="mt-2">
        {restoreProvenAt ? (
          <>
            Last proven restore: <TimeAgo time={restoreProvenAt} />. Once a month, the newest backup is
            restored in a test.
          </>
        ) : (
          'No backup has been restored in a test yet. This happens once a month, at night.'
        )}
        {restoreFailedAt && (
          <>
            {' '}
            The last test, <TimeAgo time={restoreFailedAt} />, failed or could not be done.
          </>
        )}
      </p>
      {!isBackedUp(backups) && <p className="mt-2">{ASK_OPERATOR}</p>}
    </>
  );
}
