import { useQuery } from '@tanstack/react-query';
import { createApiQuery } from '#web/api/query-client.ts';
import type { MelodySummary } from '#features/melodies/contract.ts';
import { useLineLoops } from '#features/lyrics/web/line-loops.ts';
import { useTimedText } from '#features/lyrics/web/use-timed-text.ts';
import type { PlayerStart } from './player-url.ts';
import { DockFrame } from './dock-frame.tsx';
import { MelodyText, getMelodyIfWordsLoaded } from './melody-text.tsx';

/** The words as the player first shows them, with the space for its controls. Rendered on the server. */
export function ServerRenderedWords({
  melody: listed,
  start,
}: {
  melody: MelodySummary;
  start: PlayerStart;
}) {
  const { data: details } = useQuery(createApiQuery('GET /api/melodies/{id}', { params: { id: listed.id } }));
  const melody = details ?? listed;
  const text = useTimedText(details ?? getMelodyIfWordsLoaded(listed));
  const words = {
    text,
    loops: useLineLoops(null, text.passages),
    size: 1 as const,
    notes: null,
  };
  // Hides the words if playback does not start at the beginning of the melody. Otherwise they would first
  // show the beginning and then jump to the current line when the player appears.
  const isInside = start.line !== null || start.at !== null;
  return (
    <div className="flex grow basis-0 flex-col beside:min-h-0 beside:flex-row">
      <MelodyText {...{ melody, words }} missing={null} clock={null} isPending={isInside} />
      <DockFrame />
    </div>
  );
}
