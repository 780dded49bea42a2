import { accountApi } from './features/account/contract.ts';
import { agreementsApi } from './features/agreements/contract.ts';
import { auditApi } from './features/audit/contract.ts';
import { backupsApi } from './features/backups/contract.ts';
import { chosenMelodiesApi } from './features/chosen-melodies/contract.ts';
import { exportsApi } from './features/exports/contract.ts';
import { feedbackApi } from './features/feedback/contract.ts';
import { filesApi } from './features/files/contract.ts';
import { firstStepsApi } from './features/first-steps/contract.ts';
import { healthApi } from './features/health/contract.ts';
import { invitationsApi } from './features/invitations/contract.ts';
import { levelsApi } from './features/levels/contract.ts';
import { mailApi } from './features/mail/contract.ts';
import { marksByLineApi } from './features/marks-by-line/contract.ts';
import { melodyImportsApi } from './features/melody-imports/contract.ts';
import { melodiesApi } from './features/melodies/contract.ts';
import { noticesApi } from './features/notices/contract.ts';
import { notificationsApi } from './features/notifications/contract.ts';
import { packApi } from './features/pack/contract.ts';
import { practiceLogApi } from './features/practice-log/contract.ts';
import { passkeysApi } from './features/passkeys/contract.ts';
import { passwordsApi } from './features/passwords/contract.ts';
import { phrasesApi } from './features/phrases/contract.ts';
import { recordingLinesApi } from './features/recording-lines/contract.ts';
import { recordingsApi } from './features/recordings/contract.ts';
import { registrationsApi } from './features/registrations/contract.ts';
import { signInApi } from './features/sign-in/contract.ts';
import { teachingNotesApi } from './features/teaching-notes/contract.ts';
import { uploadsApi } from './features/uploads/contract.ts';
import { usersApi } from './features/users/contract.ts';
import type { Endpoint } from './platform/contract/endpoint.ts';

/** The whole API. An endpoint that is not listed here does not exist. */
export const api = {
  signIn: signInApi,
  passkeys: passkeysApi,
  passwords: passwordsApi,
  registrations: registrationsApi,
  invitations: invitationsApi,
  levels: levelsApi,
  users: usersApi,
  account: accountApi,
  melodies: melodiesApi,
  melodyImports: melodyImportsApi,
  chosenMelodies: chosenMelodiesApi,
  practiceLog: practiceLogApi,
  recordings: recordingsApi,
  recordingLines: recordingLinesApi,
  feedback: feedbackApi,
  marksByLine: marksByLineApi,
  phrases: phrasesApi,
  teachingNotes: teachingNotesApi,
  agreements: agreementsApi,
  pack: packApi,
  uploads: uploadsApi,
  notices: noticesApi,
  notifications: notificationsApi,
  files: filesApi,
  exports: exportsApi,
  mail: mailApi,
  audit: auditApi,
  backups: backupsApi,
  firstSteps: firstStepsApi,
  health: healthApi,
};

export type Api = typeof api;

export const allEndpoints: Endpoint[] = Object.values<Record<string, Endpoint>>(api).flatMap((feature) =>
  Object.values(feature),
);
