import { byteSizeInWords } from '#shared/byte-size.ts';
import { pathOf } from '#server/media/layout.ts';
import type { Finding, Verified } from '#server/media/verification.ts';
import { count } from '#server/progress.ts';

/**
 * Formats a finding: what it is, where, whose, and what differs or was done.
 * @param owner describes the file, for example 'recording “Refuge” of tashi'
 */
export function lineOf(finding: Finding, owner: string | undefined): string {
  const whose = finding.what === 'unnamed' ? `${count(finding.size)} bytes` : printable(owner ?? 'no owner');
  const more = detailOf(finding);
  return `${WORDS[finding.what].padEnd(10)} ${pathOf(finding.name)}  ${whose}${more && `: ${more}`}`;
}

const WORDS = {
  unnamed: 'unlisted',
  aside: 'set aside',
  missing: 'missing',
  changed: 'damaged',
  whole: 'repaired',
} satisfies Record<Finding['what'], string>;

function detailOf(finding: Finding): string {
  switch (finding.what) {
    case 'unnamed':
      return finding.mended ? 'set aside' : '';
    case 'aside':
      return finding.mended ? 'moved back' : '';
    case 'missing':
      return '';
    case 'changed':
      if (finding.size === null) return 'can’t be read from the disk';
      return finding.size === finding.expected
        ? 'its contents have changed since it was uploaded'
        : `${count(finding.size)} bytes instead of ${count(finding.expected)}`;
    case 'whole':
      return `marked as damaged, but fine now${finding.mended ? '; served again' : ''}`;
  }
}

/** Summarizes the findings, and what remains to be done by whom. */
export function summaryOf({ files, bytes, found, isHeld }: Verified, mend: boolean): string[] {
  const damaged = found.missing + found.changed;
  const { unnamed, aside, whole } = found;
  const lines: string[] = [];
  if (isHeld)
    lines.push(
      `${filesAre(unnamed)} not listed in the database, which is too many to be left over from a crash. Check that this is the right database and not an older copy. No files are moved, even with --mend.`,
    );
  else if (unnamed > 0)
    lines.push(
      mend
        ? `${filesWere(unnamed)} set aside, and will be deleted after 30 days.`
        : `${filesAre(unnamed)} not listed in the database. To set ${unnamed === 1 ? 'it' : 'them'} aside, run ${MEND}.`,
    );
  if (aside > 0)
    lines.push(
      mend
        ? `${filesWere(aside)} moved back, because the database lists ${aside === 1 ? 'it' : 'them'}.`
        : `${filesWere(aside)} set aside although the database lists ${aside === 1 ? 'it' : 'them'}. To move ${aside === 1 ? 'it' : 'them'} back, run ${MEND}.`,
    );
  if (whole > 0)
    lines.push(
      mend
        ? `${filesAre(whole)} served again.`
        : `${filesAre(whole)} marked as damaged but fine now. To serve ${whole === 1 ? 'it' : 'them'} again, run ${MEND}.`,
    );
  if (damaged > 0)
    lines.push(`${filesAre(damaged)} missing or damaged${mend ? ' and can’t be played' : ''}. ${BACKUP}`);
  if (lines.length === 0) return [`No problems found: ${count(files)} files, ${byteSizeInWords(bytes)}.`];
  return [`Checked ${count(files)} files, ${byteSizeInWords(bytes)}.`, ...lines];
}

const MEND = 'npm run verify -- --mend';

const BACKUP =
  'Restore them from a backup: extract them (tar -xf FILE media/NAME), copy them to the paths above, and run npm run verify -- --mend.';

const filesWere = (files: number) => (files === 1 ? '1 file was' : `${count(files)} files were`);
const filesAre = (files: number) => (files === 1 ? '1 file is' : `${count(files)} files are`);

/** Replaces control characters that a terminal would obey. */
const printable = (text: string) => text.replaceAll(/\p{C}/gu, '\ufffd');
