import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { parseByteSize } from '#shared/byte-size.ts';
import { MEBIBYTE } from '#shared/media.ts';
import { parseMailSender, parseMailServer, type MailSender, type MailServer } from '../mail/mail-settings.ts';
import { parseS3Settings, type S3Settings } from '../media/s3/settings.ts';

/**
 * Settings of an installation. Other files read no environment variables except those that the system sets,
 * such as PATH.
 */
export type Settings = {
  host: string;
  port: number;
  appName: string;
  tagline: string;
  teacherTitle: string;
  /** Absolute path of the data folder, for everything that isn't stored in an external database or S3 store. */
  dataDir: string;
  /** Null if media are stored in the data folder. */
  s3: S3Settings | null;
  /** 'signed' if browsers load audio from the S3 store through signed URLs; null if this program sends it. */
  mediaRedirect: 'signed' | null;
  /** Path under which the reverse proxy serves the media folder; null if this program sends files itself. */
  mediaAccel: string | null;
  /** Null for the embedded database. */
  databaseUrl: string | null;
  /**
   * Maximum number of connections in this process's pool. The process opens up to four more: two that receive
   * notifications, and one each for maintenance and a backup.
   */
  databasePool: number;
  pgBinDir: string | null;
  ffmpegPath: string | undefined;
  publicUrl: URL;
  /** Number of trusted proxies in front of the server. */
  trustProxy: number;
  firstAdmin: { username: string; email: string; password: string | null };
  /** Null if emails are written to the outbox folder and passed on by hand. */
  mailServer: MailServer | null;
  mailFrom: MailSender;
  /**
   * Bytes to keep free on the data folder's disk; null for the default, the smaller of 1 GB and 3 % of the
   * disk.
   */
  minFreeDisk: number | null;
  /** Upload quota per student within 24 hours. */
  studentDaily: { bytes: number; recordings: number };
  /** Folder for nightly backups; null if no backups are made. */
  backupDir: string | null;
  /** Number of nightly backups to keep. */
  backupKeep: number;
  /** Passphrase with which backups are encrypted; null if they are not encrypted. */
  backupPassphrase: string | null;
  /** Maximum age of a session, even if it is in constant use. */
  sessionMaxDays: number;
  /** Whether HSTS includes the subdomains of the host. */
  hstsSubdomains: boolean;
  /** Token that gives access to `/metrics`; null if metrics are off. */
  metricsToken: string | null;
  logLevel: string;
};

/** Error for an invalid setting. The message is one line, which begins with the variable's name. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

/**
 * Reads and validates the settings. An empty variable counts as unset.
 * @throws SettingsError with the name of the first invalid variable
 */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = variables.safeParse(set);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new SettingsError(`${issue?.path.join('.')}: ${issue?.message}`);
  }
  const given = parsed.data;
  const publicUrl = new URL(given.PUBLIC_URL ?? `http://localhost:${given.PORT}`);
  if (given.HSTS_SUBDOMAINS && publicUrl.protocol !== 'https:')
    throw new SettingsError('HSTS_SUBDOMAINS: needs a PUBLIC_URL that begins with https://');
  return {
    host: given.HOST,
    port: given.PORT,
    appName: given.APP_NAME,
    tagline: given.APP_TAGLINE,
    teacherTitle: given.TEACHER_TITLE,
    dataDir: resolve(given.DATA_DIR),
    s3: readS3(given),
    mediaRedirect: given.MEDIA_REDIRECT ?? null,
    mediaAccel: given.MEDIA_ACCEL ?? null,
    databaseUrl: given.DATABASE_URL ?? null,
    databasePool: given.DATABASE_POOL,
    pgBinDir: given.PG_BIN_DIR ?? null,
    ffmpegPath: given.FFMPEG_PATH,
    publicUrl,
    trustProxy: given.TRUST_PROXY,
    firstAdmin: {
      username: given.ADMIN_USERNAME.toLowerCase(),
      email: given.ADMIN_EMAIL.toLowerCase(),
      password: given.ADMIN_PASSWORD ?? null,
    },
    mailServer: given.SMTP_URL ?? null,
    mailFrom: given.MAIL_FROM ?? { name: given.APP_NAME, address: getNoReplyAddress(publicUrl) },
    minFreeDisk: given.MIN_FREE_DISK ?? null,
    studentDaily: { bytes: given.STUDENT_DAILY_BYTES, recordings: given.STUDENT_DAILY_RECORDINGS },
    backupDir: given.BACKUP_DIR === undefined ? null : resolve(given.BACKUP_DIR),
    backupKeep: given.BACKUP_KEEP,
    backupPassphrase: given.BACKUP_PASSPHRASE ?? null,
    sessionMaxDays: given.SESSION_MAX_DAYS,
    hstsSubdomains: given.HSTS_SUBDOMAINS,
    metricsToken: given.METRICS_TOKEN ?? null,
    logLevel: given.LOG_LEVEL,
  };
}

const integerSetting = (what: string, max: number, min = 0) =>
  z
    .string()
    .regex(/^\d+$/, `must be ${what}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be ${what}`);

const booleanSetting = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((value) => value === 'true');

const textSetting = (max: number) => z.string().trim().min(1, 'must not be blank').max(max, 'is too long');

const urlSetting = (schemes: string[]) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && schemes.includes(new URL(value).protocol),
      `must be an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
    );

/**
 * Validates a variable with a parser, whose error becomes the message. The value is never repeated, because it
 * may contain a password.
 */
const parseWith = <T>(parser: (value: string) => T) =>
  z.string().transform((value, context) => {
    try {
      return parser(value);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
      return z.NEVER;
    }
  });

/** Minimum daily quota, so that the largest possible recording can be uploaded. */
const MIN_DAILY_BYTES = 10 * MEBIBYTE;

const byteSizeSetting = (least = 0) =>
  parseWith((value) => {
    const bytes = parseByteSize(value);
    if (bytes === null) throw new Error('must be a size such as 500MB or 2GB, or a number of bytes');
    if (bytes < least) throw new Error(`must be at least ${least / MEBIBYTE}MiB`);
    return bytes;
  });

/**
 * Returns the default sender address at the public host, or at localhost if the host is an IP address, which
 * can't be an email domain.
 */
const getNoReplyAddress = ({ hostname }: URL) =>
  `no-reply@${isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? hostname : 'localhost'}`;

function isBareOrigin(value: string): boolean {
  if (!URL.canParse(value)) return true;
  const { username, password, search, hash } = new URL(value);
  return `${username}${password}${search}${hash}` === '';
}

/** Placeholder email address of the first teacher, until she enters her own. */
export const FIRST_ADMIN_PLACEHOLDER_EMAIL = 'teacher@example.org';

const variables = z.object({
  HOST: textSetting(253).default('127.0.0.1'),
  PORT: integerSetting('a port number from 0 to 65535', 65_535).default(3000),
  APP_NAME: textSetting(60).default('Yangchen'),
  APP_TAGLINE: textSetting(200).default('Songs of the heart, passed on by voice'),
  TEACHER_TITLE: textSetting(60).default('Khandro-la'),
  DATA_DIR: textSetting(4096).default('./data'),
  S3_ENDPOINT: urlSetting(['http:', 'https:'])
    .refine(isBareOrigin, 'must not contain a username, a password or a query')
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,63}$/, 'must have only letters, digits and hyphens')
    .optional(),
  S3_BUCKET: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{2,254}$/,
      "must be only the bucket's name, with 3 to 255 letters, digits, '.', '-' and '_'",
    )
    .optional(),
  S3_PREFIX: z
    .string()
    .regex(/^\P{Cc}*$/u, 'must not contain control characters')
    .refine((value) => Buffer.byteLength(value) <= 512, 'is too long')
    .refine(
      (value) => !value.split('/').some((part) => part === '.' || part === '..'),
      "must not contain '.' or '..'",
    )
    .optional(),
  S3_FORCE_PATH_STYLE: booleanSetting.optional(),
  S3_ACCESS_KEY_ID: z.string().regex(/^\S+$/, 'must not contain spaces').max(1024, 'is too long').optional(),
  S3_SECRET_ACCESS_KEY: z
    .string()
    .regex(/^\S+$/, 'must not contain spaces')
    .max(1024, 'is too long')
    .optional(),
  MEDIA_REDIRECT: z.enum(['signed'], 'must be “signed” or unset').optional(),
  MEDIA_ACCEL: z
    .string()
    .regex(/^(\/[\w.-]+)+$/, "must be a path such as '/stored', as in the proxy's configuration")
    .optional(),
  DATABASE_URL: parseWith(parseDatabaseUrl).optional(),
  // List requests leave a quarter of the pool free, which must be at least one connection.
  DATABASE_POOL: integerSetting('a number of connections from 4 to 500', 500, 4).default(20),
  PG_BIN_DIR: textSetting(4096).optional(),
  FFMPEG_PATH: textSetting(4096).optional(),
  PUBLIC_URL: urlSetting(['http:', 'https:']).optional(),
  HSTS_SUBDOMAINS: booleanSetting.default(false),
  TRUST_PROXY: integerSetting('the number of proxies in front of the server, from 0 to 20', 20).default(0),
  ADMIN_USERNAME: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,100}$/, "must have only letters, digits, '.', '-' and '_'")
    .default('khandro'),
  ADMIN_EMAIL: z.email('must be an email address').max(254).default(FIRST_ADMIN_PLACEHOLDER_EMAIL),
  ADMIN_PASSWORD: z
    .string()
    .min(6, 'must have 6 to 128 characters')
    .max(128, 'must have 6 to 128 characters')
    .optional(),
  SMTP_URL: parseWith(parseMailServer).optional(),
  MAIL_FROM: parseWith(parseMailSender).optional(),
  MIN_FREE_DISK: byteSizeSetting().optional(),
  BACKUP_DIR: textSetting(4096).optional(),
  BACKUP_KEEP: integerSetting('the number of backups to keep, from 1 to 1000', 1_000, 1).default(14),
  BACKUP_PASSPHRASE: z
    .string()
    .regex(
      /^[^\p{Cc}\s](\P{Cc}{10,1022})[^\p{Cc}\s]$/u,
      'must have 12 to 1024 characters, without spaces at the ends',
    )
    .optional(),
  SESSION_MAX_DAYS: integerSetting('a number of days from 1 to 3650', 3_650, 1).default(90),
  STUDENT_DAILY_BYTES: byteSizeSetting(MIN_DAILY_BYTES).default(500_000_000),
  STUDENT_DAILY_RECORDINGS: integerSetting('a number of recordings from 1 to 100000', 100_000)
    .refine((value) => value >= 1, 'must be a number of recordings from 1 to 100000')
    .default(200),
  // Allows the characters of a bearer token (RFC 6750). The token must be too long to be guessed.
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/-]{16,256}=*$/, 'must have at least 16 letters, digits or characters of -._~+/')
    .optional(),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    )
    .default('info'),
});

function readS3(given: z.output<typeof variables>): S3Settings | null {
  try {
    const { S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_PREFIX, S3_FORCE_PATH_STYLE } = given;
    const { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = given;
    const where = { S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_PREFIX, S3_FORCE_PATH_STYLE };
    const s3 = parseS3Settings({ ...where, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY });
    if (given.MEDIA_REDIRECT && !s3) throw new Error('MEDIA_REDIRECT: needs media in an S3 store (S3_…)');
    if (given.MEDIA_ACCEL && s3)
      throw new Error('MEDIA_ACCEL: is for media in DATA_DIR; with an S3 store, set MEDIA_REDIRECT');
    return s3;
  } catch (error) {
    throw new SettingsError((error as Error).message);
  }
}

const DATABASE_SCHEMES = ['postgres:', 'postgresql:'];

/**
 * Validates the URL of a PostgreSQL server.
 * @throws Error whose message continues a sentence that starts with the variable's name. It never repeats the
 * value, which may contain a password.
 */
function parseDatabaseUrl(value: string): string {
  // Detects a list of hosts before parsing, because a list with ports is not a valid URL.
  const [, authority = ''] = /^postgres(?:ql)?:\/\/([^/?#]*)/.exec(value) ?? [];
  if (authority.slice(authority.lastIndexOf('@') + 1).includes(',')) throw new Error(SEVERAL_SERVERS);
  const url = URL.parse(value);
  if (!url || !DATABASE_SCHEMES.includes(url.protocol))
    throw new Error(
      `must be an address that begins with ${DATABASE_SCHEMES.map((scheme) => `${scheme}//`).join(' or ')}`,
    );
  const { searchParams } = url;
  if (searchParams.get('host')?.includes(',')) throw new Error(SEVERAL_SERVERS);
  // Rejected, because the driver doesn't support target_session_attrs.
  if ((searchParams.get('target_session_attrs') ?? 'any') !== 'any') throw new Error(TARGET_SESSION);
  return value;
}

const SEVERAL_SERVERS =
  'lists several servers, but the program connects to only one; use an address that always points to the server that ' +
  'accepts writes, such as a virtual IP address or HAProxy';

const TARGET_SESSION =
  'must not set target_session_attrs; leave it out, because the program always needs a server that accepts writes';
