import { useQuery } from '@tanstack/react-query';
import { call } from '../../../platform/web/call.ts';
import { Button } from '../../../platform/web/ui/button.tsx';
import { Dialog } from '../../../platform/web/ui/dialog.tsx';
import { Notice } from '../../../platform/web/ui/notice.tsx';
import type { Level } from '../../levels/contract.ts';
import type { MelodySummary } from '../../melodies/contract.ts';
import type { PackManifest } from '../contract.ts';
import { MANIFEST_MAX } from '../limits.ts';
import { type PackState, type PackWork, usePack } from './pack-state.ts';

type PackDialogProps = {
  melodies: readonly MelodySummary[];
  levels: readonly Level[];
  onClose: () => void;
};

/** What is kept on this device, by level: how large it is, until when, and what else could be kept. */
export default function PackDialog({ melodies, levels, onClose }: PackDialogProps) {
  const { entries, until, work, actions } = usePack((state) => state);
  const kept = [...entries.values()].filter(({ isKept }) => isKept);
  const titles = new Map(melodies.map(({ id, title }) => [id, title]));
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Kept on this device"
      description="Words, timings, picture and sound of a melody that is kept are here without a connection too, to practise with. Signing out removes them."
    >
      <p>
        {kept.length === 0
          ? 'Nothing is kept yet.'
          : `${melodyCount(kept.length)}, ${megabytes(sum(kept.map(({ bytes }) => bytes)))}.`}
        {until && ` Kept until ${day.format(until)}; each visit with a connection renews it.`}
      </p>
      <Work work={work} />
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
      </ul>
      {entries.size > 0 && (
        <ul aria-label="Melodies on this device" className="mt-4 grid gap-1">
          {[...entries].map(([id, { isKept, bytes }]) => (
            <li key={id} className="flex items-center justify-between gap-4">
              <span className="min-w-0 break-words">
                {titles.get(id) ?? 'A melody'}{' '}
                <span className="text-sm whitespace-nowrap text-soft">
                  {isKept ? megabytes(bytes) : 'on its way'}
                </span>
              </span>
              <Button
                variant="quiet"
                aria-label={`Remove ${titles.get(id) ?? 'a melody'} from this device`}
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
    queryFn: ({ signal }) => manifestOf(ids, signal),
    enabled: !neverKept && !isEmpty,
  });
  const here = ids.filter((id) => entries.has(id));
  const size = whole.data && sum(whole.data.flatMap(({ files }) => files.map((file) => file.size)));
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
      <div className="min-w-0 grow basis-52">
        <h3 className="font-sans text-base font-semibold break-words">{name}</h3>
        <p className="text-sm text-soft">
          {neverKept
            ? 'Never kept on devices: heard with a connection only.'
            : isEmpty
              ? 'No melodies'
              : `${here.length} of ${melodyCount(ids.length)}${size === undefined ? '' : `, ${megabytes(size)} in all`}`}
        </p>
      </div>
      {!neverKept && here.length < ids.length && (
        <Button
          aria-label={`Keep all of this level: ${name}`}
          onClick={() => actions?.keep(ids)}
          className="whitespace-nowrap"
        >
          Keep all of this level
        </Button>
      )}
    </li>
  );
}

function Work({ work }: { work: PackWork }) {
  if (work === 'waiting')
    return (
      <Notice tone="amber" title="Not all of it is here yet." className="mt-3">
        It goes on by itself once the connection is back. Keep this site open for a while then.
      </Notice>
    );
  if (typeof work !== 'object') return null;
  const { needed, free } = work.full;
  return (
    <Notice tone="danger" title="There is not enough room on this device." className="mt-3">
      {megabytes(needed)} more are needed, and the browser has {megabytes(free)} left for this site. Remove
      something here or elsewhere on the device, then keep it again.
    </Notice>
  );
}

async function manifestOf(ids: readonly number[], signal: AbortSignal) {
  const found: PackManifest['melodies'] = [];
  for (let from = 0; from < ids.length; from += MANIFEST_MAX) {
    const melodies = ids.slice(from, from + MANIFEST_MAX).join(',');
    found.push(...(await call('GET /api/pack', { query: { melodies }, signal })).melodies);
  }
  return found;
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });

const melodyCount = (count: number) => (count === 1 ? '1 melody' : `${count} melodies`);

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** '24 MB', '0.4 MB'. */
export function megabytes(bytes: number) {
  const value = bytes / 1_000_000;
  return `${value < 10 ? Math.max(value === 0 ? 0 : 0.1, Math.round(value * 10) / 10) : Math.round(value)} MB`;
}
