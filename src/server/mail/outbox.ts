import { randomUUID } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { createFolderDurably, fsyncFolder } from '../data-folder/fsync-folder.ts';
import type { MailSender } from './mail-settings.ts';
import { MailDeliveryError, type MailTransport } from './mail-transport.ts';
import type { LeasedMail } from './queue.ts';
import { toNodemailerMessage } from './message.ts';

export type Outbox = ReturnType<typeof openOutbox>;

/**
 * Pattern of the names of our files, including unfinished ones. Other files in the folder are never removed.
 */
const OWN_FILE_NAME = /^\d{8}T\d{9}Z-\d+\.eml(\.[0-9a-f-]{36})?$/;

/**
 * Opens the folder in which emails wait for the teacher if there is no mail server. Only the system user that
 * owns the folder can read them.
 * @param assertOwnFolder throws if the data folder is missing or has been replaced
 */
export function openOutbox(folder: string, assertOwnFolder: () => Promise<void>) {
  return {
    folder,

    /** Writes a file durably, replacing any file of the same name. */
    async write(name: string, content: Buffer) {
      await assertOwnFolder();
      await createFolderDurably(folder);
      const staged = join(folder, `${name}.${randomUUID()}`);
      try {
        const file = await open(staged, 'wx', 0o600);
        try {
          await file.writeFile(content);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(staged, join(folder, name));
      } catch (error) {
        await rm(staged, { force: true });
        throw error;
      }
      await fsyncFolder(folder);
      // Checks again, because the file would never be found if the folder was replaced during the write.
      await assertOwnFolder();
    },

    /** Returns the text of an email; null if its file is missing or can't be read. */
    async read(name: string): Promise<string | null> {
      if (!OWN_FILE_NAME.test(name)) return null;
      const content = await readFile(join(folder, name), 'latin1').catch(() => null);
      return content === null ? null : extractEmlText(content);
    },

    async remove(name: string) {
      if (OWN_FILE_NAME.test(name)) await rm(join(folder, name), { force: true });
    },

    /**
     * Removes our files that are older than `cutoff` and no longer wanted, such as emails to deleted users.
     * @returns the number of removed files
     */
    async sweep(cutoff: Date, isWanted: (name: string) => boolean): Promise<number> {
      let removed = 0;
      for (const name of await readdir(folder).catch(() => [])) {
        if (!OWN_FILE_NAME.test(name) || isWanted(name)) continue;
        const found = await stat(join(folder, name)).catch(() => null);
        if (!found || found.mtime >= cutoff) continue;
        await rm(join(folder, name), { force: true });
        removed += 1;
      }
      return removed;
    },
  };
}

/**
 * Creates a transport that writes emails to the outbox. An email counts as delivered when its file is on the
 * disk. The teacher then passes it on.
 */
export function createOutboxTransport(outbox: Outbox, from: MailSender): MailTransport {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async deliver(mail) {
      const outboxFile = getFileName(mail);
      const message = toNodemailerMessage(mail, from);
      try {
        const built = await transport.sendMail(message);
        await outbox.write(outboxFile, built.message as Buffer);
      } catch (cause) {
        throw new MailDeliveryError('The email couldn’t be saved in the outbox folder.', { cause });
      }
      return { outboxFile };
    },
    retract: outbox.remove,
  };
}

/** Returns the file name of an email: the same on each retry, and without the recipient. */
const getFileName = ({ id, createdAt }: LeasedMail) =>
  `${createdAt.toISOString().replaceAll(/[-:.]/g, '')}-${id}.eml`;

/**
 * Extracts the plain text of an email written by this program: its first part of type text/plain.
 * @param eml content of the file, one character per byte (latin1)
 * @returns null if the file contains no such email
 */
function extractEmlText(eml: string): string | null {
  const boundary = /^Content-Type: multipart\/alternative;\s+boundary="([^"]+)"/im.exec(eml)?.[1];
  if (boundary === undefined) return null;
  for (const part of eml.split(`--${boundary}`).slice(1)) {
    const end = part.indexOf('\r\n\r\n');
    const head = part.slice(0, end);
    if (end < 0 || !/^Content-Type: text\/plain/im.test(head)) continue;
    // The line break before a boundary belongs to the boundary.
    const body = part.slice(end + 4).replace(/\r\n$/, '');
    return decoders[/^Content-Transfer-Encoding: (\S+)/im.exec(head)?.[1] ?? '7bit']?.(body) ?? null;
  }
  return null;
}

// '7bit' occurs too, because nodemailer doesn't encode text that needs no encoding.
const decoders: Record<string, (encoded: string) => string> = {
  '7bit': (plain) => plain.replaceAll('\r\n', '\n'),
  'quoted-printable': decodeQuotedPrintable,
};

function decodeQuotedPrintable(encoded: string) {
  const bytes = encoded
    .replaceAll(/=[ \t]*\r\n/g, '')
    .replaceAll('\r\n', '\n')
    .replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
