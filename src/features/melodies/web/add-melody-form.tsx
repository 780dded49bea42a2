import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { apiQuery } from '#web/api/query-client.ts';
import { LeaveGuard } from '#web/ui/leave-guard.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import type { Melody } from '../contract.ts';
import { MelodyForm } from './melody-form.tsx';
import { SeekingNote } from './seeking-note.tsx';
import { langOf } from '#features/lyrics/web/tibetan.ts';
import { useMelodyForm } from './use-melody-form.ts';

export function AddMelodyForm({ levels }: { levels: readonly Level[] }) {
  const form = useMelodyForm(null, () => undefined);
  const { save, wouldLose } = form;
  return (
    <>
      <MelodyForm form={form} levels={levels} melody={null}>
        {save.isSuccess && <Added melody={save.data} />}
      </MelodyForm>
      <LeaveGuard
        isActive={wouldLose}
        sentence="Leave without adding this melody?"
        note="What you typed is kept on this device. The files you chose are not."
      />
    </>
  );
}

function Added({ melody }: { melody: Melody }) {
  const isHeard = melody.audioUrl !== null;
  const { data } = useQuery({
    ...apiQuery('GET /api/melodies/{id}', { params: { id: melody.id } }),
    enabled: isHeard,
  });
  return (
    <>
      <Notice tone="success" title="Melody added successfully">
        “<span {...langOf(melody.title)}>{melody.title}</span>” has been added to the library.{' '}
        <Link href="/melodies" className="link">
          See it in the library
        </Link>
      </Notice>
      {data && !data.seeksExactly && <SeekingNote />}
    </>
  );
}
