import type { MelodiesService } from '#features/melodies/server/service.ts';
import { formatLrc } from '#features/lyrics/lrc.ts';
import { parseSungLines } from '#features/lyrics/parse.ts';
import { toLineStarts } from '#features/lyrics/timings.ts';
import type { ExportArchive } from './archive.ts';
import type { CsvRow } from '#shared/csv.ts';
import { toSafeFileName, createUniqueFileNamer } from './file-names.ts';
import { formatUtcDateTime } from './texts.ts';

const COLUMNS = [
  ...['Title', 'Level', 'Description', 'Video', 'Seconds', 'Added'],
  ...['Audio', 'Picture', 'Words', 'LRC'],
];

/** Adds all melodies, newest first, and a table that lists them. */
export async function addMelodiesToArchive(
  melodies: MelodiesService,
  { addText, addFile, readPages, finish }: ExportArchive,
) {
  const unique = createUniqueFileNamer();
  const table: CsvRow[] = [COLUMNS];
  for await (const rows of readPages({ one: 'melody', many: 'melodies' }, melodies.listCompleteMelodies)) {
    for (const { title, melodyText, timings, createdAt, ...melody } of rows) {
      const stem = `melodies/${unique(toSafeFileName(title))}`;
      const audio = await addFile(melody.audioUrl, 'audio', stem, createdAt);
      const picture = await addFile(melody.thumbnailUrl, 'image', stem, createdAt);
      if (melodyText) await addText(`${stem}.txt`, melodyText, createdAt);
      const lrc = createLrcFile(title, melodyText ?? '', timings);
      if (lrc) await addText(`${stem}.lrc`, lrc, createdAt);
      table.push([
        ...[
          title,
          melody.level,
          melody.description,
          melody.vimeoUrl,
          melody.duration,
          formatUtcDateTime(createdAt),
        ],
        ...[audio, picture, melodyText && `${stem}.txt`, lrc && `${stem}.lrc`],
      ]);
    }
  }
  await finish('melodies.csv', table);
}

/** Returns the words with line times in LRC format, or null if no line has a time. */
function createLrcFile(
  title: string,
  text: string,
  timings: Parameters<typeof toLineStarts>[1],
): string | null {
  const lines = parseSungLines(text);
  const passages = toLineStarts(lines, timings);
  return passages.length > 0 ? formatLrc(title, lines, passages) : null;
}
