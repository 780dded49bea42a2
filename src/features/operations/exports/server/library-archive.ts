import type { MelodiesService } from '#features/melodies/server/service.ts';
import { lrcOf } from '#features/lyrics/lrc.ts';
import { sungLinesOf } from '#features/lyrics/parse.ts';
import { passagesOf } from '#features/lyrics/timings.ts';
import type { Archive } from './archive.ts';
import type { Row } from '#shared/csv.ts';
import { safeName, uniqueNames } from './file-names.ts';
import { moment } from './texts.ts';

const COLUMNS = [
  ...['Title', 'Level', 'Description', 'Video', 'Seconds', 'Added'],
  ...['Audio', 'Picture', 'Text', 'LRC'],
];

/** Adds all melodies, newest first. */
export async function addMelodies(melodies: MelodiesService, { addText, copy, pagesOf, finish }: Archive) {
  const unique = uniqueNames();
  const table: Row[] = [COLUMNS];
  for await (const rows of pagesOf('melodies', melodies.listWhole)) {
    for (const { title, melodyText, timings, createdAt, ...melody } of rows) {
      const stem = `melodies/${unique(safeName(title))}`;
      const audio = await copy(melody.audioUrl, 'audio', stem, createdAt);
      const picture = await copy(melody.thumbnailUrl, 'image', stem, createdAt);
      if (melodyText) await addText(`${stem}.txt`, melodyText, createdAt);
      const lrc = lrcFile(title, melodyText ?? '', timings);
      if (lrc) await addText(`${stem}.lrc`, lrc, createdAt);
      table.push([
        ...[title, melody.level, melody.description, melody.vimeoUrl, melody.duration, moment(createdAt)],
        ...[audio, picture, melodyText && `${stem}.txt`, lrc && `${stem}.lrc`],
      ]);
    }
  }
  await finish('melodies.csv', table);
}

/** Returns null for a text without times. */
function lrcFile(title: string, text: string, timings: Parameters<typeof passagesOf>[1]): string | null {
  const lines = sungLinesOf(text);
  const passages = passagesOf(lines, timings);
  return passages.length > 0 ? lrcOf(title, lines, passages) : null;
}
