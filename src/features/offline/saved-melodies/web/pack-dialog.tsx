import { useQuery } from '@tanstack/react-query';
import { callApi } from '#web/api/call.ts';
import { useUser } from '#web/api/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import type { MelodySummary } from '#features/melodies/contract.ts';
import type { PackManifest } from '../contract.ts';
import { MAX_MANIFEST_MELODIES, MAX_OFFLINE_OWN_RECORDINGS } from '../limits.ts';
import type { PackEntryId } from './pack-store.ts';
import { type PackState, type PackDownloadState, usePack } from './pack-state.ts';

type PackDialogProps = {
  melodies: readonly MelodySummary[];
  levels: readonly Level[];
  onClose: () => void;
};

/**
 * Dialog that lists what is stored on this device, with its size and lease, and what else can be stored, by
 * level.
 */
export default function PackDialog({ melodies, levels, onClose }: PackDialogProps) {
  const { entries, leaseEndsAt, downloadState, actions } = usePack((state) => state);
  const saved = [...entries.values()].filter(({ isSaved }) => isSaved);
  const isStudent = useUser().role === 'student';
  const titles = new Map<PackEntryId, string>(melodies.map(({ id, title }) => [id, title]));
  const titleOf = (id: PackEntryId) =>
    id === 'own' ? 'Your recordings and feedback' : (titles.get(id) ?? 'A melody');
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Offline melodies"
      description="Saved melodies work without internet. Signing out removes them."
    >
      <p>
        {saved.length === 0
          ? 'Nothing saved yet.'
          : `${formatBytesAsMegabytes(sum(saved.map(({ bytes }) => bytes)))} saved on this device.`}
        {leaseEndsAt &&
          saved.length > 0 &&
          ` You can listen offline until ${dayFormat.format(leaseEndsAt)}. To keep them longer, open the library while you’re online.`}
      </p>
      <WorkNotice work={downloadState} />
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {levels.map((level) => (
          <LevelRow
            key={level.id}
            level={level}
            ids={melodies.filter((melody) => melody.transmissionLevelId === level.id).map(({ id }) => id)}
            entries={entries}
            actions={actions}
          />
        ))}
        {isStudent && (
          <SaveRow
            title={titleOf('own')}
            description={`Your last ${MAX_OFFLINE_OWN_RECORDINGS} recordings and their feedback.`}
            action="Save"
            isDone={entries.has('own')}
            onSave={() => actions?.save(['own'])}
          />
        )}
      </ul>
      {entries.size > 0 && (
        <ul aria-label="On this device" className="mt-4 grid gap-1">
          {[...entries].map(([id, { isSaved, bytes }]) => (
            <li key={id} className="flex items-center justify-between gap-4">
              <span className="min-w-0 break-words">
                <bdi>{titleOf(id)}</bdi>{' '}
                <span className="text-sm whitespace-nowrap text-soft">
                  {!isSaved ? 'downloading' : bytes === 0 ? 'words only' : formatBytesAsMegabytes(bytes)}
                </span>
              </span>
              <Button
                variant="quiet"
                aria-label={`Remove from this device: ${titleOf(id)}`}
                onClick={() => actions?.remove([id])}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

type LevelRowProps = { level: Level; ids: readonly number[] } & Pick<PackState, 'entries' | 'actions'>;

function LevelRow({ level: { name, neverKept }, ids, entries, actions }: LevelRowProps) {
  const isEmpty = ids.length === 0;
  const whole = useQuery({
    queryKey: ['/api/pack', ids],
    queryFn: ({ signal }) => fetchManifest(ids, signal),
    enabled: !neverKept && !isEmpty,
  });
  const savedIds = ids.filter((id) => entries.has(id));
  const size = whole.data && sum(whole.data.flatMap(({ files }) => files.map((file) => file.size)));
  const description = neverKept
    ? 'Never available offline.'
    : isEmpty
      ? 'No melodies'
      : `${savedIds.length} of ${formatMelodyCount(ids.length)} saved${size === undefined ? '' : ` · ${formatBytesAsMegabytes(size)} in total`}`;
  return (
    <SaveRow
      title={name}
      description={description}
      action={
        neverKept || isEmpty
          ? null
          : ids.length === 1
            ? 'Save'
            : `Save all ${ids.length.toLocaleString('en')}`
      }
      isDone={savedIds.length === ids.length}
      onSave={() => actions?.save(ids)}
    />
  );
}

type SaveRowProps = {
  title: string;
  description: string;
  /** Label of the button; null hides the button, because nothing can be stored. */
  action: string | null;
  isDone: boolean;
  onSave: () => void;
};

const SaveRow = ({ title, description, action, isDone, onSave }: SaveRowProps) => (
  <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
    <div className="min-w-0 grow basis-52">
      <h3 dir="auto" className="font-sans text-base font-semibold break-words">
        {title}
      </h3>
      <p className="text-sm text-soft">{description}</p>
    </div>
    {action !== null && (
      <Button
        aria-label={`${action}: ${title}`}
        isInactive={isDone}
        onClick={onSave}
        className="whitespace-nowrap"
      >
        {action}
      </Button>
    )}
  </li>
);

function WorkNotice({ work }: { work: PackDownloadState }) {
  if (work === 'waiting')
    return (
      <Notice tone="amber" title="The download isn’t finished." className="mt-3">
        It continues when you’re back online. Keep this page open until then.
      </Notice>
    );
  if (typeof work !== 'object') return null;
  const { needed, free } = work.full;
  return (
    <Notice tone="danger" title="There isn’t enough space on this device." className="mt-3">
      Saving this takes {formatBytesAsMegabytes(needed)}, but this browser{' '}
      {free === null ? 'can’t save anything more' : `has room for only ${formatBytesAsMegabytes(free)}`}.
      Remove something here or from your device, then try again.
    </Notice>
  );
}

async function fetchManifest(ids: readonly number[], signal: AbortSignal) {
  const found: PackManifest['melodies'] = [];
  for (let from = 0; from < ids.length; from += MAX_MANIFEST_MELODIES) {
    const melodies = ids.slice(from, from + MAX_MANIFEST_MELODIES).join(',');
    found.push(...(await callApi('GET /api/pack', { query: { melodies }, signal })).melodies);
  }
  return found;
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });

const formatMelodyCount = (count: number) => (count === 1 ? '1 melody' : `${count} melodies`);

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** Formats as '24 MB' or '0.4 MB'. */
export function formatBytesAsMegabytes(bytes: number) {
  const value = bytes / 1_000_000;
  return `${value < 10 ? Math.max(value === 0 ? 0 : 0.1, Math.round(value * 10) / 10) : Math.round(value)} MB`;
}
