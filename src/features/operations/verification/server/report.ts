import { formatByteSize } from '#shared/byte-size.ts';
import { getMediaFilePath } from '#server/media/layout.ts';
import type { FileFinding, VerificationResult } from '#server/media/verification.ts';
import { formatCount } from '#server/progress.ts';

/**
 * Formats a finding: its kind, the file's path and owner, and details of the damage or repair.
 * @param owner description of the file, for example 'recording “Refuge” of tashi'; undefined if no row refers
 * to it
 */
export function formatFinding(finding: FileFinding, owner: string | undefined): string {
  const whose =
    finding.kind === 'unnamed'
      ? `${formatCount(finding.size)} bytes`
      : replaceControlCharacters(owner ?? 'no owner');
  const more = getDetail(finding);
  return `${FINDING_LABELS[finding.kind].padEnd(10)} ${getMediaFilePath(finding.name)}  ${whose}${more && `: ${more}`}`;
}

const FINDING_LABELS = {
  unnamed: 'unlisted',
  aside: 'set aside',
  missing: 'missing',
  changed: 'damaged',
  whole: 'repaired',
} satisfies Record<FileFinding['kind'], string>;

function getDetail(finding: FileFinding): string {
  switch (finding.kind) {
    case 'unnamed':
      return finding.repaired ? 'set aside' : '';
    case 'aside':
      return finding.repaired ? 'moved back' : '';
    case 'missing':
      return '';
    case 'changed':
      if (finding.size === null) return 'can’t be read from the disk';
      return finding.size === finding.expected
        ? 'its contents have changed since it was uploaded'
        : `${formatCount(finding.size)} bytes instead of ${formatCount(finding.expected)}`;
    case 'whole':
      return `marked as damaged, but fine now${finding.repaired ? '; served again' : ''}`;
  }
}

/** Summarizes the findings, and explains what remains to be done and by whom. */
export function summarizeFindings(
  { files, bytes, found, isHeld }: VerificationResult,
  mend: boolean,
): string[] {
  const damaged = found.missing + found.changed;
  const { unnamed, aside, whole } = found;
  const lines: string[] = [];
  if (isHeld)
    lines.push(
      `${formatFilesAre(unnamed)} not listed in the database, which is too many to be left over from a crash. Check that this is the right database and not an older copy. After a failover, run npm run verify -- --after-failover. No files are moved, even with --mend.`,
    );
  else if (unnamed > 0)
    lines.push(
      mend
        ? `${formatFilesWere(unnamed)} set aside, and will be deleted after 30 days.`
        : `${formatFilesAre(unnamed)} not listed in the database. To set ${unnamed === 1 ? 'it' : 'them'} aside, run ${REPAIR_COMMAND}.`,
    );
  if (aside > 0)
    lines.push(
      mend
        ? `${formatFilesWere(aside)} moved back, because the database lists ${aside === 1 ? 'it' : 'them'}.`
        : `${formatFilesWere(aside)} set aside although the database lists ${aside === 1 ? 'it' : 'them'}. To move ${aside === 1 ? 'it' : 'them'} back, run ${REPAIR_COMMAND}.`,
    );
  if (whole > 0)
    lines.push(
      mend
        ? `${formatFilesAre(whole)} served again.`
        : `${formatFilesAre(whole)} marked as damaged but fine now. To serve ${whole === 1 ? 'it' : 'them'} again, run ${REPAIR_COMMAND}.`,
    );
  if (damaged > 0)
    lines.push(
      `${formatFilesAre(damaged)} missing or damaged${mend ? ' and can’t be played' : ''}. ${RESTORE_HINT}`,
    );
  if (lines.length === 0)
    return [`No problems found: ${formatCount(files)} files, ${formatByteSize(bytes)}.`];
  return [`Checked ${formatCount(files)} files, ${formatByteSize(bytes)}.`, ...lines];
}

const REPAIR_COMMAND = 'npm run verify -- --mend';

const RESTORE_HINT =
  'Restore them from a backup: copy them from the folder media in BACKUP_DIR, or extract them (tar -xf FILE media/NAME), to the paths above, and run npm run verify -- --mend.';

const formatFilesWere = (files: number) => (files === 1 ? '1 file was' : `${formatCount(files)} files were`);
const formatFilesAre = (files: number) => (files === 1 ? '1 file is' : `${formatCount(files)} files are`);

/** Replaces control characters that a terminal would interpret. */
const replaceControlCharacters = (text: string) => text.replaceAll(/\p{C}/gu, '\ufffd');
