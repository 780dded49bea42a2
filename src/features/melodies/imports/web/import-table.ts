import type { Table } from '#web/tables/table.ts';
import { getFileName } from '#features/melodies/web/file-name.ts';
import { isAcceptedImportFile, normalizeFileName } from './import-files.ts';

const HEADINGS = {
  title: 'title titel titre titulo título titolo name melody song chant lied chanson canto название',
  level: 'level transmission stufe niveau nivel livello уровень',
  description: 'description beschreibung descripcion descripción descrizione note notes comment описание',
  words: 'words text lyrics texte paroles letra testo liedtext текст слова',
  video: 'video vimeo link url video address',
  sound: 'sound audio file sound file audio file datei fichier archivo mp3 recording звук',
  picture: 'picture image bild photo cover imagen immagine thumbnail картинка',
} as const;
type Heading = keyof typeof HEADINGS;

/** Row of the table; empty and missing cells are ''. `row` is its number in the table, from 1. */
export type ImportTableRow = Record<Heading, string> & { row: number };

/**
 * Returns the non-empty rows below the heading row, which must be among the first ten rows. Null if there is
 * no heading row.
 */
export function parseImportTable(table: Table): ImportTableRow[] | null {
  const at = table.slice(0, 10).findIndex((cells) => findColumn(cells, 'title') !== -1);
  const headings = table[at];
  if (!headings) return null;
  const names = Object.keys(HEADINGS) as Heading[];
  const columns = new Map(names.map((name) => [name, findColumn(headings, name)]));
  return table.slice(at + 1).flatMap((cells, index) => {
    const cell = (name: Heading) => (cells[columns.get(name) ?? -1] ?? '').trim();
    const row = Object.fromEntries(names.map((name) => [name, cell(name)])) as Record<Heading, string>;
    return names.every((name) => row[name] === '') ? [] : [{ ...row, row: at + index + 2 }];
  });
}

const findColumn = (cells: readonly string[], heading: Heading) =>
  cells.findIndex((cell) => {
    const name = normalizeFileName(cell);
    return name !== '' && ` ${HEADINGS[heading]} `.includes(` ${name} `);
  });

type NamedSound = { key: string; title: string };

/**
 * Matches table rows to audio files by path, then by file name, then, if the row names no file, by title. A
 * row that matches several files gets none of them, because it may carry the level of a restricted melody.
 * @param sounds the path of each audio file, and the title that it would have without the table
 */
export function matchRowsToSounds(
  rows: readonly ImportTableRow[],
  sounds: readonly NamedSound[],
): Map<string, ImportTableRow> {
  const found = new Map<string, ImportTableRow>();
  const taken = new Set<ImportTableRow>();
  const match = (is: (row: ImportTableRow, sound: NamedSound) => boolean) => {
    for (const row of rows.filter((each) => !taken.has(each))) {
      const [sound, ...others] = sounds.filter((each) => is(row, each));
      if (!sound || others.length > 0 || found.has(sound.key)) continue;
      found.set(sound.key, row);
      taken.add(row);
    }
  };
  match(({ sound: cell }, { key }) => matchesPath(cell, key));
  match(({ sound: cell }, { key }) => matchesPath(getFileName(toPath(cell)), key));
  match(
    ({ sound: cell, title }, sound) =>
      cell === '' && title !== '' && normalizeFileName(title) === normalizeFileName(sound.title),
  );
  return found;
}

/** Compares a cell with the end of a path: 'Refuge' and 'songs\\Refuge.mp3' both match 'all/songs/Refuge.mp3'. */
function matchesPath(cell: string, path: string) {
  if (cell === '') return false;
  const [end, whole] = [`/${toPath(cell)}`, `/${toPath(path)}`];
  return (
    whole.endsWith(end) ||
    (!isAcceptedImportFile(cell, 'sound') && whole.replace(/\.[^./]+$/, '').endsWith(end))
  );
}

const toPath = (path: string) => path.replaceAll('\\', '/').toLowerCase().normalize('NFC');
