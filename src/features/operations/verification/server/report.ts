import { byteSizeInWords } from '#shared/byte-size.ts';
import { pathOf } from '#server/media/layout.ts';
import type { Finding, Verified } from '#server/media/verification.ts';
import { count } from '#server/progress.ts';

/**
 * Formats a finding: what it is, where, whose, and what differs or was done.
 * @param owner as returned by `ownersOf`
 */
export function lineOf(finding: Finding, owner: string | undefined): string {
  const whose =
    finding.what === 'unnamed' ? `${count(finding.size)} bytes` : printable(owner ?? 'of nothing');
  const more = detailOf(finding);
  return `${WORDS[finding.what].padEnd(10)} ${pathOf(finding.name)}  ${whose}${more && `: ${more}`}`;
}

const WORDS = {
  unnamed: 'no row',
  aside: 'set aside',
  missing: 'missing',
  changed: 'changed',
  whole: 'refused',
} satisfies Record<Finding['what'], string>;

function detailOf(finding: Finding): string {
  switch (finding.what) {
    case 'unnamed':
      return finding.mended ? 'set aside' : '';
    case 'aside':
      return finding.mended ? 'brought back' : '';
    case 'missing':
      return '';
    case 'changed':
      if (finding.size === null) return 'the disk can’t read it';
      return finding.size === finding.expected
        ? 'its bytes are not those that arrived'
        : `${count(finding.size)} bytes in place of ${count(finding.expected)}`;
    case 'whole':
      return `marked as damaged, but as it arrived${finding.mended ? '; served again' : ''}`;
  }
}

/** Summarizes the findings, and what remains to be done by whom. */
export function summaryOf({ files, bytes, found, isHeld }: Verified, mend: boolean): string[] {
  const damaged = found.missing + found.changed;
  const { unnamed, aside, whole } = found;
  const lines: string[] = [];
  if (isHeld)
    lines.push(
      `${filesHave(unnamed)} no row, which is too many to be what a crash left. Is this the right database, and not an older copy? None is moved, with --mend either.`,
    );
  else if (unnamed > 0)
    lines.push(
      mend
        ? `${filesWere(unnamed)} set aside, to be deleted after 30 days of upkeep.`
        : `${filesHave(unnamed)} no row. ${MEND} sets aside what has none.`,
    );
  if (aside > 0)
    lines.push(
      mend
        ? `${filesWere(aside)} brought back from what had been set aside.`
        : `${filesWere(aside)} set aside though the database names ${aside === 1 ? 'it' : 'them'}. ${MEND} brings back what it names.`,
    );
  if (whole > 0)
    lines.push(
      mend
        ? `${filesAre(whole)} served again.`
        : `${filesAre(whole)} refused though nothing is wrong any more. ${MEND} ends that.`,
    );
  if (damaged > 0)
    lines.push(
      `${filesAre(damaged)} missing or changed${mend ? ', and answered as damaged' : ''}. ${BACKUP}`,
    );
  if (lines.length === 0) return [`All is well: ${count(files)} files, ${byteSizeInWords(bytes)}.`];
  return [`Looked at ${count(files)} files, ${byteSizeInWords(bytes)}.`, ...lines];
}

const MEND = 'npm run verify -- --mend';

const BACKUP =
  'Only a backup can have them as they were: take them out of it (tar -xf FILE media/NAME), put them to the paths above, and run npm run verify -- --mend.';

const filesHave = (files: number) => (files === 1 ? '1 file has' : `${count(files)} files have`);
const filesWere = (files: number) => (files === 1 ? '1 file was' : `${count(files)} files were`);
const filesAre = (files: number) => (files === 1 ? '1 file is' : `${count(files)} files are`);

/** Replaces control characters that a terminal would obey. */
const printable = (text: string) => text.replaceAll(/\p{C}/gu, '\ufffd');
