import { execFile, type ChildProcess } from 'node:child_process';
import { chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { simpleParser, type ParsedMail } from 'mailparser';
import type { TestProject } from 'vitest/node';
import { explainMissingPrograms } from '../../scripts/find-program.js';
import { killDaemon, SETPRIV, startDaemon, waitUntilListening } from './daemon.ts';
import { findFreePort } from './free-port.ts';

/**
 * Listeners. The first three are named after their certificates: trusted, untrusted, and trusted but for
 * another host. The last one does not offer TLS. `NODE_EXTRA_CA_CERTS` names the trusted certificates.
 */
const LISTENERS = ['trusted', 'untrusted', 'misnamed', 'plain'] as const;
export type EximListener = (typeof LISTENERS)[number];

export const SMTP_CREDENTIALS = { user: 'songs', password: 'the-secret-word' };

const NOBODY = 65_534;

/** IPv4-mapped loopback address, which the program does not treat as local, so it verifies certificates. */
const HOST = '::ffff:127.0.0.1';

export type TestExim = { folder: string; ports: Record<EximListener, number> };

/** Starts one real mail server for all the test files that need it. */
export default async function setup(project: TestProject) {
  const missing = explainNoExim();
  project.provide('eximMissing', missing);
  if (missing) return console.warn(`\nThe tests with a real mail server are skipped: ${missing}.\n`);
  const { exim, stop } = await startExim();
  // Sets the variable before the test workers start, because Node reads it only when a process starts.
  process.env['NODE_EXTRA_CA_CERTS'] = join(exim.folder, 'trusted-authorities.pem');
  project.provide('exim', exim);
  return stop;
}

declare module 'vitest' {
  interface ProvidedContext {
    exim: TestExim;
    /** Reason for skipping the tests that need Exim; null if they run. */
    eximMissing: string | null;
  }
}

/** Returns what is missing on this machine; null if a mail server can be started. */
const explainNoExim = () =>
  explainMissingPrograms(['exim4', 'openssl', SETPRIV], 'exim4-daemon-light openssl');

/** Returns the SMTP_URL setting for a listener. */
export const getSmtpUrl = ({ ports }: TestExim, listener: EximListener = 'trusted') =>
  `smtp://${SMTP_CREDENTIALS.user}:${SMTP_CREDENTIALS.password}@[${HOST}]:${ports[listener]}`;

/** Returns the emails delivered to an email address. */
export async function readMailbox({ folder }: TestExim, address: string) {
  const found: { raw: string; mail: ParsedMail }[] = [];
  const names = await readdir(join(folder, 'mail/new')).catch(() => []);
  for (const name of names.sort()) {
    const raw = await readFile(join(folder, 'mail/new', name), 'latin1');
    if (raw.includes(`\nEnvelope-to: ${address}\n`)) found.push({ raw, mail: await simpleParser(raw) });
  }
  return found;
}

/** Returns the lines of Exim's log, which Exim writes before it responds. */
export const readEximLog = async ({ folder }: TestExim) =>
  (await readFile(join(folder, 'mainlog'), 'utf8')).split('\n');

/**
 * Starts Exim on loopback in a folder of its own, without access to anything outside. Emails to `gone…@`
 * bounce; all others are delivered to one folder.
 */
async function startExim(): Promise<{ exim: TestExim; stop(): Promise<void> }> {
  // If started by root, Exim runs as the system user `nobody`. Its folder is then in /tmp, because `nobody`
  // may have no access to TMPDIR.
  const user = process.getuid!() === 0 ? NOBODY : null;
  const folder = await mkdtemp(join(user === null ? tmpdir() : '/tmp', 'exim-'));
  let daemon: ChildProcess | null = null;
  const stop = async () => {
    if (daemon) await killDaemon(daemon);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const ports = Object.fromEntries(
      await Promise.all(LISTENERS.map(async (listener) => [listener, await findFreePort()] as const)),
    ) as TestExim['ports'];
    const exim = { folder, ports };
    const [trusted, , misnamed] = [
      await createCertificate(folder, 'trusted', `IP:${HOST}`),
      await createCertificate(folder, 'untrusted', `IP:${HOST}`),
      await createCertificate(folder, 'misnamed', 'DNS:mail.example.org'),
    ];
    await writeFile(join(folder, 'trusted-authorities.pem'), trusted + misnamed);
    await writeFile(join(folder, 'exim.conf'), createConfiguration(exim, user ?? process.getuid!()));
    if (user !== null)
      for (const name of ['.', ...(await readdir(folder))]) await chown(join(folder, name), user, user);
    daemon = runExim(exim, user);
    for (const listener of LISTENERS) await waitUntilListening(daemon, folder, ports[listener]);
    return { exim, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Creates a self-signed certificate, which is its own authority, and returns it as PEM. */
async function createCertificate(folder: string, name: string, host: string) {
  const to = (kind: string) => join(folder, `${name}.${kind}`);
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-keyout', to('key'), '-out', to('pem')],
    ...['-subj', `/CN=${name}`, '-addext', `subjectAltName=${host}`],
  ]);
  return readFile(to('pem'), 'utf8');
}

const createConfiguration = ({ folder, ports }: TestExim, uid: number) => `
exim_user = ${uid}
exim_group = ${uid}
primary_hostname = mail.songs.test
spool_directory = ${folder}/spool
log_file_path = ${folder}/%slog
pid_file_path = ${folder}/pid
log_selector = +received_recipients
keep_environment =
deliver_drop_privilege
host_lookup =
dsn_advertise_hosts = *
# Which of the files, or none.
CERTIFICATE = \${if eq{$received_port}{${ports.untrusted}}{untrusted}{\${if eq{$received_port}{${ports.misnamed}}{misnamed}{trusted}}}}
tls_advertise_hosts = \${if eq{$received_port}{${ports.plain}}{}{*}}
tls_certificate = ${folder}/CERTIFICATE.pem
tls_privatekey = ${folder}/CERTIFICATE.key
acl_smtp_rcpt = check_recipient

begin acl
check_recipient:
  deny  !authenticated = *
        message = Log in first
  accept

begin routers
gone:
  driver = redirect
  local_parts = ^gone
  allow_fail
  data = :fail: 5.2.2 The mailbox is full
everybody:
  driver = accept
  transport = folder

begin transports
folder:
  driver = appendfile
  directory = ${folder}/mail
  maildir_format
  envelope_to_add
  return_path_add

begin retry
* * F,1h,1m

begin authenticators
login:
  driver = plaintext
  public_name = PLAIN
  server_condition = \${if and{{eq{$auth2}{${SMTP_CREDENTIALS.user}}}{eq{$auth3}{${SMTP_CREDENTIALS.password}}}}}
  server_set_id = $auth2
`;

/**
 * Runs Exim without the right to gain privileges. Otherwise Exim, whose binary is setuid root, would become
 * root whenever it executes itself, for example for a delivery.
 */
function runExim({ folder, ports }: TestExim, user: number | null): ChildProcess {
  const listening = ['-oX', LISTENERS.map((listener) => `127.0.0.1.${ports[listener]}`).join(' : ')];
  const as = user === null ? [] : ['--reuid', `${user}`, '--regid', `${user}`, '--clear-groups'];
  const exim = ['exim4', '-C', join(folder, 'exim.conf'), '-bdf', ...listening];
  return startDaemon(folder, exim, [...as, '--no-new-privs']);
}
