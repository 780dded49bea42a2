import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { api } from '../api.ts';
import { uploadSlots } from '../upload-slots.ts';
import type { Database } from '#server/db/database.ts';
import { accountRoutes } from '#features/people/profile/server/routes.ts';
import { accountService } from '#features/people/profile/server/service.ts';
import { passagesAlongNotes } from '#features/teaching-notes/agreements/server/along-notes.ts';
import { agreementsRoutes } from '#features/teaching-notes/agreements/server/routes.ts';
import { agreementsService } from '#features/teaching-notes/agreements/server/service.ts';
import { auditRoutes } from '#features/audit/server/routes.ts';
import { nightlyBackups } from '#features/operations/backups/server/service.ts';
import { backupsRoutes } from '#features/operations/backups/server/routes.ts';
import { auditService } from '#features/audit/server/service.ts';
import { chosenMelodiesRoutes } from '#features/melodies/favourites/server/routes.ts';
import { chosenMelodiesService } from '#features/melodies/favourites/server/service.ts';
import { exportsRoutes } from '#features/operations/exports/server/routes.ts';
import { exportsService } from '#features/operations/exports/server/service.ts';
import { heldFeedbackWorker } from '#features/feedback/server/held/worker.ts';
import { feedbackRoutes } from '#features/feedback/server/routes.ts';
import { feedbackService, lockFilesAlong } from '#features/feedback/server/service.ts';
import { feedbackSounds } from '#features/feedback/server/sounds.ts';
import { handOverBy } from '#features/operations/files/server/hand-over.ts';
import { filesRoutes } from '#features/operations/files/server/routes.ts';
import { filesService } from '#features/operations/files/server/service.ts';
import { sharedCheck } from '#features/operations/health/server/shared-check.ts';
import { firstStepsRoutes } from '#features/operations/first-steps/server/routes.ts';
import { firstStepsService } from '#features/operations/first-steps/server/service.ts';
import { healthRoutes } from '#features/operations/health/server/routes.ts';
import { invitationsRoutes } from '#features/people/invitations/server/routes.ts';
import { invitationsService } from '#features/people/invitations/server/service.ts';
import { levelsRoutes } from '#features/people/levels/server/routes.ts';
import { levelsService } from '#features/people/levels/server/service.ts';
import { mailRoutes } from '#features/messages/mail/server/routes.ts';
import { mailService, type Composer, type Composers } from '#features/messages/mail/server/service.ts';
import { marksByLineRoutes } from '#features/feedback/common-difficulties/server/routes.ts';
import { marksByLineService } from '#features/feedback/common-difficulties/server/service.ts';
import { melodiesRoutes } from '#features/melodies/server/routes.ts';
import { melodiesService } from '#features/melodies/server/service.ts';
import { phrasesRoutes } from '#features/feedback/phrases/server/routes.ts';
import { phrasesService } from '#features/feedback/phrases/server/service.ts';
import { practiceLogRoutes } from '#features/practice/log/server/routes.ts';
import { practiceLogService } from '#features/practice/log/server/service.ts';
import { melodyImportsRoutes } from '#features/melodies/imports/server/routes.ts';
import { melodyImportsService } from '#features/melodies/imports/server/service.ts';
import { packRoutes } from '#features/offline/saved-melodies/server/routes.ts';
import { packService } from '#features/offline/saved-melodies/server/service.ts';
import { passkeysRoutes } from '#features/accounts/passkeys/server/routes.ts';
import type { PasskeyMail } from '#features/accounts/passkeys/server/emails.ts';
import { passkeysService } from '#features/accounts/passkeys/server/service.ts';
import { passwordsRoutes } from '#features/accounts/passwords/server/routes.ts';
import { passwordsService } from '#features/accounts/passwords/server/service.ts';
import { quotasService } from '#features/uploads/quotas/server/service.ts';
import { recordingsRoutes } from '#features/recordings/server/routes.ts';
import { recordingsService } from '#features/recordings/server/service.ts';
import { noticesRoutes } from '#features/messages/notices/server/routes.ts';
import { notificationsRoutes } from '#features/messages/notifications/server/routes.ts';
import { newsService } from '#features/messages/notifications/server/service.ts';
import { eventStreams } from '#features/messages/notifications/server/streams.ts';
import { registrationsRoutes } from '#features/people/registrations/server/routes.ts';
import { registrationsService } from '#features/people/registrations/server/service.ts';
import { signInRoutes } from '#features/accounts/sign-in/server/routes.ts';
import { signInService } from '#features/accounts/sign-in/server/service.ts';
import { notesAlongMelody } from '#features/teaching-notes/server/along-melody.ts';
import { teachingNotesRoutes } from '#features/teaching-notes/server/routes.ts';
import { teachingNotesService } from '#features/teaching-notes/server/service.ts';
import { uploadsRoutes } from '#features/uploads/server/routes.ts';
import { uploadsService } from '#features/uploads/server/service.ts';
import { usersRoutes } from '#features/people/users/server/routes.ts';
import { usersService } from '#features/people/users/server/service.ts';
import { conflict } from '#shared/errors.ts';
import { attemptsIn } from '#server/limits/attempts.ts';
import { backgroundTasks } from '#server/jobs/background-tasks.ts';
import type { ChangeFeed } from '#server/db/changes.ts';
import type { Clock } from '#server/clock.ts';
import type { DataFolder } from '#server/data-folder/data-folder.ts';
import { inspectAudio } from '#server/audio/inspect.ts';
import type { Decoders } from '#server/decoding/sandbox.ts';
import { createApp } from '#server/http/app.ts';
import { cookiesFor } from '#server/http/cookies.ts';
import { guardedBodies } from '#server/http/guarded-body.ts';
import { HTTP_LIMITS, type HttpLimits } from '#server/http/limits.ts';
import { responseCache } from '#server/http/response-cache.ts';
import { listLimiter, requestLimiter } from '#server/http/request-limiters.ts';
import { type InProcess, mount } from '#server/http/mount.ts';
import { openApiOf } from '#server/http/open-api.ts';
import { originsOf } from '#server/http/origin.ts';
import type { Log } from '#server/log.ts';
import { touchInstallation } from '#server/data-folder/installation.ts';
import { openOutbox, outboxDelivery } from '#server/mail/outbox.ts';
import { smtpDelivery } from '#server/mail/smtp.ts';
import { mailWorker } from '#server/mail/worker.ts';
import { recordingLinesRoutes } from '#features/line-matching/server/routes.ts';
import { recordingLinesService } from '#features/line-matching/server/service.ts';
import { recordingLinesWorker } from '#features/line-matching/server/worker.ts';
import { copyWorker } from '#server/media/copy-worker.ts';
import { fileChecksOf } from '#server/media/checks.ts';
import { fileRoundsOf } from '#server/media/file-rounds.ts';
import { mediaKeeper } from '#server/media/keep.ts';
import type { DiskSpace } from '#server/media/disk-space.ts';
import type { PartialFiles } from '#server/media/partial-files.ts';
import type { Staging } from '#server/media/staging.ts';
import type { MediaStore } from '#server/media/store.ts';
import { verificationOf } from '#server/media/verification.ts';
import { mountMetrics } from '#server/metrics/mount.ts';
import { noticesIn } from '#server/notices.ts';
import { programVersion } from '#server/config/project.ts';
import { RESPONSE_LIMITS, openResponses, type ResponseLimits } from '#server/http/live-auth-guard.ts';
import { liveSessions } from '#server/auth/sessions.ts';
import type { Settings } from '#server/config/settings.ts';

export type Parts = {
  settings: Settings;
  database: Database;
  dataFolder: Pick<DataFolder, 'check'>;
  store: MediaStore;
  disk: DiskSpace;
  staging: Staging;
  partials: PartialFiles;
  decoders: Decoders;
  /** For tests: replaces inspecting each file in a separate process. */
  inspect?: typeof inspectAudio;
  log: Log;
  clock: Clock;
};

export type Services = ReturnType<typeof createServices>;

/** Limits for each client, and for how long a response may take. */
export type Limits = HttpLimits & ResponseLimits;
export const LIMITS: Limits = { ...HTTP_LIMITS, ...RESPONSE_LIMITS };

/** A failure expires sooner, so that recovery shows at once. */
const COMMIT_CACHE = { okMs: 5_000, failedMs: 1_000 };

/** Too short to be noticed by somebody waiting for a mail. */
const MOST_DELAY_MS = 2000;

/** Creates every service of the program, with its dependencies. */
export function createServices(parts: Parts) {
  const { settings, database, store, disk, staging, partials, decoders, inspect = inspectAudio } = parts;
  const { log, clock } = parts;
  const { db, search } = database;
  const notices = noticesIn(db);
  const media = mediaKeeper({ db, store, staging, decoders, inspect, log, clock });
  const fileChecks = fileChecksOf({ db, store, notices, log, clock });
  const copies = copyWorker({ db, store, media, staging, disk, decoders, clock, log, checks: fileChecks });
  const { connection } = database;
  const verify = verificationOf({ db, connection, store, checks: fileChecks, notices, clock });
  const fileRounds = fileRoundsOf({ verify, staging, log });
  const sessions = liveSessions(db, { maxDays: settings.sessionMaxDays });
  const attempts = attemptsIn(db);
  const afterwards = backgroundTasks(MOST_DELAY_MS);
  const audit = auditService({ db });
  const levels = levelsService({ db, audit });
  const quotas = quotasService({ settings, clock });
  const uploads = uploadsService({ slots: uploadSlots, db, staging, partials, media, disk, quotas, clock });
  const recordingLines = recordingLinesService({ db });
  const linesWorker = recordingLinesWorker({ db, store, staging, disk, decoders, clock, log });
  const melodies = melodiesService({
    ...{ db, search, media, levels, uploads, recordingLines, log },
    notes: {
      ...notesAlongMelody,
      filesOf: async (tx, id) => [
        ...(await notesAlongMelody.filesOf(tx, id)),
        ...(await passagesAlongNotes.filesOfMelody(tx, id)),
      ],
    },
    makesCopies: decoders.ffmpegPath !== null,
  });
  const melodyImports = melodyImportsService({ db, media, levels });
  const chosenMelodies = chosenMelodiesService({ db, melodies });
  const practiceLog = practiceLogService({ db, melodies, clock });
  const news = newsService({ db, attempts, clock, settings });
  const sounds = feedbackSounds({ db, media, uploads });
  const teachingNotes = teachingNotesService({
    ...{ db, media, melodies, levels },
    voiceFileOf: sounds.fileOfVoice,
    passages: passagesAlongNotes,
  });
  const agreements = agreementsService({ db, media, levels, audit, clock });
  const recordings = recordingsService({
    ...{ db, media, melodies, uploads, quotas, news, recordingLines },
    filesAlong: lockFilesAlong,
  });
  const feedback = feedbackService({ db, search, media, recordings, sounds, news, clock, log });
  const heldWorker = heldFeedbackWorker({ held: feedback.held, clock, log });
  const marksByLine = marksByLineService({ db, melodies, clock });
  const phrases = phrasesService({ db, melodies, feedback });
  // Recordings before the feedback on them, because sending a reply locks its recording.
  const ownedFiles = [recordings, feedback, agreements];
  const users = usersService({
    ...{ db, search, audit, media, news, community: settings, ownedFiles, passages: agreements, log },
  });
  const passkeys = passkeysService({ db, attempts, audit, clock, log, settings });
  const signIn = signInService({
    ...{ db, users, passkeys, sessions, attempts, audit, afterwards, clock, log, settings },
  });
  const passwords = passwordsService({
    ...{ db, sessions, attempts, audit, afterwards, clock, log, settings },
    isKnownDevice: signIn.isKnownDevice,
  });
  const registrations = registrationsService({ db, users, audit, attempts, clock, community: settings });
  const account = accountService({
    ...{ db, users, passkeys, passwords, sessions, audit, clock, settings },
  });
  const invitations = invitationsService({ db, users, audit, log });
  const files = filesService({ db, checks: fileChecks, melodies, recordings, feedback });
  const pack = packService({ melodies, recordings, feedback, files, clock });
  const exports = exportsService({
    ...{ db, users, recordings, feedback, melodies, practiceLog, agreements, files, audit, clock },
    community: settings,
  });
  const backups = nightlyBackups({
    source: { connection, store, outbox: outboxOf(parts).folder },
    folder: settings.backupDir,
    // With the embedded database there is no other process.
    mayBeElsewhere: settings.databaseUrl !== null,
    keep: settings.backupKeep,
    ...{ db, notices, checks: fileChecks, clock, log },
  });
  const firstSteps = firstStepsService({ db, backups, clock, settings });
  const passkeyMailAgain =
    (kind: PasskeyMail): Composer =>
    async (tx, userId, _admin, at) => {
      if (!(await passkeys.sendAgain(tx, kind, userId, at))) throw conflict('This account is disabled.');
    };
  // Functions that compose each kind of mail again after it could not be delivered.
  const composers: Composers = {
    credentials: (tx, userId, admin) => users.sendCredentialsAgain(tx, userId, admin),
    'feedback-given': (tx, userId) => news.sendAgain(tx, userId, 'feedback-given'),
    'recordings-waiting': (tx, userId) => news.sendAgain(tx, userId, 'recordings-waiting'),
    'password-reset': async (tx, userId) => {
      if (!(await passwords.sendResetAgain(tx, userId))) throw conflict('This account is disabled.');
    },
    'password-changed': async (tx, userId, _admin, at) => {
      if (!(await passwords.sendChangedAgain(tx, userId, at))) throw conflict('This account is disabled.');
    },
    // The mail went to an address that the account no longer has.
    'account-changed': () => Promise.reject(conflict('This email can’t be sent again.')),
    'test-mail': async (tx, userId) => {
      if (!(await firstSteps.sendTestAgain(tx, userId))) throw conflict('This account is disabled.');
    },
    'new-device': async (tx, userId, _admin, at) => {
      if (!(await signIn.sendNewDeviceAgain(tx, userId, at))) throw conflict('This account is disabled.');
    },
    'passkey-added': passkeyMailAgain('passkey-added'),
    'passkey-removed': passkeyMailAgain('passkey-removed'),
    'passkey-asked-for': passkeyMailAgain('passkey-asked-for'),
    'passkey-not-asked-for': passkeyMailAgain('passkey-not-asked-for'),
    'sign-in-link': async (tx, userId) => {
      if (!(await signIn.sendLinkAgain(tx, userId))) throw conflict('This account is disabled.');
    },
  };
  const delivery = settings.mailServer
    ? smtpDelivery(settings.mailServer, settings.mailFrom)
    : outboxDelivery(outboxOf(parts), settings.mailFrom);
  const mailer = mailWorker({ db, connection, delivery, clock, log });
  const mail = mailService({
    ...{ db, outbox: outboxOf(parts), hasServer: !!settings.mailServer, composers, audit, log },
  });
  return {
    backups,
    firstSteps,
    copies,
    media,
    fileChecks,
    fileRounds,
    sessions,
    attempts,
    /** Work that requests leave to be done after their responses. */
    afterwards,
    users,
    signIn,
    passkeys,
    passwords,
    registrations,
    invitations,
    account,
    levels,
    melodies,
    chosenMelodies,
    melodyImports,
    practiceLog,
    uploads,
    news,
    recordings,
    recordingLines,
    linesWorker,
    feedback,
    marksByLine,
    phrases,
    teachingNotes,
    agreements,
    heldWorker,
    files,
    pack,
    exports,
    audit,
    mail,
    mailer,
    /** Started and stopped with the server. */
    workers: [mailer, copies, linesWorker],
    notices,
  };
}

/** Opens the folder where mails are stored if there is no mail server. */
export const outboxOf = ({ settings, dataFolder }: Pick<Parts, 'settings' | 'dataFolder'>) =>
  openOutbox(join(settings.dataDir, 'outbox'), dataFolder.check);

/** Creates the web server with the whole API, but without pages. */
export async function createServer(
  parts: Parts,
  services: Services,
  changes: ChangeFeed,
  limits: Limits = LIMITS,
) {
  const { settings, database, dataFolder, store, disk, staging, log, clock } = parts;
  const https = settings.publicUrl.protocol === 'https:';
  const origins = originsOf(settings.publicUrl, log);
  const metrics = settings.metricsToken
    ? // Most servers have no token, and start faster without loading the library.
      (await import('./metrics.ts')).createMetrics(settings.metricsToken, parts, services)
    : null;
  const { app, giveTime } = await createApp({
    log,
    trustProxy: settings.trustProxy,
    https,
    hstsSubdomains: settings.hstsSubdomains,
    origins,
    limits,
    counts: metrics?.requests ?? null,
  });
  mountMetrics(app, metrics);
  app.addHook('onClose', (_, done) => {
    metrics?.stop();
    done();
  });
  const cookies = cookiesFor(https);
  // Data is acknowledged only if it is in the folder where the next start looks for it.
  app.addHook('onRequest', ({ method }, _reply, done) => {
    if (method === 'GET' || method === 'HEAD') done();
    else dataFolder.check().then(() => done(), done);
  });

  // Somebody signed out without a connection: end that session before answering or accepting anything.
  app.addHook('onRequest', async (request, reply) => {
    const userId = cookies.signedOut.read(request);
    if (userId === undefined) return;
    const session = cookies.session.read(request);
    const found = session ? await services.sessions.find(session, clock()) : null;
    if (session && found?.caller.id === userId) await services.signIn.signOut(session);
    cookies.signedOut.clear(reply);
  });

  async function identify(request: FastifyRequest, reply: FastifyReply | null) {
    const session = cookies.session.read(request);
    // A session is extended only together with its cookie.
    const use = reply ? { address: request.ip } : undefined;
    const found = session ? await services.sessions.find(session, clock(), use) : null;
    if (session && reply && found?.prolonged) cookies.session.write(reply, session);
    return found?.caller ?? null;
  }

  const lists = listLimiter(settings.databasePool);
  const deps = {
    identify,
    staging,
    limited: requestLimiter(limits),
    giveTime,
    lists,
    cachedBody: responseCache(),
    inProcess: new Map() as InProcess,
    clock,
  };
  mount(app, deps, api.signIn, signInRoutes(services.signIn, cookies, origins));
  mount(app, deps, api.passkeys, passkeysRoutes(services.passkeys));
  mount(app, deps, api.passwords, passwordsRoutes(services.passwords, cookies));
  mount(app, deps, api.registrations, registrationsRoutes(services.registrations));
  mount(app, deps, api.invitations, invitationsRoutes(services.invitations));
  mount(app, deps, api.levels, levelsRoutes(services.levels));
  mount(app, deps, api.users, usersRoutes(services.users));
  mount(app, deps, api.account, accountRoutes(services.account, cookies));
  mount(app, deps, api.melodies, melodiesRoutes(services.melodies));
  mount(app, deps, api.melodyImports, melodyImportsRoutes(services.melodyImports));
  mount(app, deps, api.chosenMelodies, chosenMelodiesRoutes(services.chosenMelodies));
  mount(app, deps, api.practiceLog, practiceLogRoutes(services.practiceLog));
  mount(app, deps, api.recordings, recordingsRoutes(services.recordings));
  mount(app, deps, api.recordingLines, recordingLinesRoutes(services.recordingLines));
  mount(app, deps, api.feedback, feedbackRoutes(services.feedback));
  mount(app, deps, api.marksByLine, marksByLineRoutes(services.marksByLine));
  mount(app, deps, api.phrases, phrasesRoutes(services.phrases));
  mount(app, deps, api.teachingNotes, teachingNotesRoutes(services.teachingNotes));
  mount(app, deps, api.agreements, agreementsRoutes(services.agreements));
  mount(app, deps, api.pack, packRoutes(services.pack));
  mount(app, deps, api.uploads, uploadsRoutes(services.uploads));
  const answers = openResponses(
    {
      changes,
      callersOf: (ids) => services.sessions.callersOf(ids, clock()),
      mayHave: services.files.mayHave,
      log,
    },
    limits,
  );
  const send = guardedBodies(answers, cookies);
  const streams = eventStreams(changes, answers);
  app.addHook('preClose', (done) => {
    streams.close();
    done();
  });
  // Only after the uploads in flight have ended.
  app.addHook('onClose', (_, done) => {
    answers.close();
    done();
  });
  mount(app, deps, api.notifications, notificationsRoutes(services.news, streams, cookies));
  mount(app, deps, api.files, filesRoutes(services.files, answers, send, handOverBy(settings, store)));
  mount(
    app,
    deps,
    api.exports,
    exportsRoutes({ exports: services.exports, answers, send, lists, origins, log }),
  );
  mount(app, deps, api.audit, auditRoutes(services.audit));
  mount(app, deps, api.firstSteps, firstStepsRoutes(services.firstSteps));
  mount(app, deps, api.backups, backupsRoutes(services.backups));
  mount(app, deps, api.mail, mailRoutes(services.mail));
  mount(app, deps, api.notices, noticesRoutes(services.notices));
  let document: ReturnType<typeof openApiOf> | null = null;
  // Created on the first request, because it takes a tenth of a start.
  const openApi = () =>
    (document ??= openApiOf(
      { title: settings.appName, version: programVersion, sessionCookie: cookies.session.name },
      api,
    ));
  mount(
    app,
    deps,
    api.health,
    healthRoutes(
      {
        database: [
          sharedCheck(database.check),
          sharedCheck(() => touchInstallation(database.db), COMMIT_CACHE),
        ],
        media: sharedCheck(store.check),
      },
      services.fileChecks,
      openApi,
      disk,
    ),
  );

  return { app, identify, inProcess: deps.inProcess, origins };
}
