import { profileApi } from '#features/people/profile/contract.ts';
import { agreementsApi } from '#features/teaching-notes/agreements/contract.ts';
import { auditApi } from '#features/audit/contract.ts';
import { backupsApi } from '#features/operations/backups/contract.ts';
import { chosenMelodiesApi } from '#features/melodies/favourites/contract.ts';
import { exportsApi } from '#features/operations/exports/contract.ts';
import { feedbackApi } from '#features/feedback/contract.ts';
import { filesApi } from '#features/operations/files/contract.ts';
import { firstStepsApi } from '#features/operations/first-steps/contract.ts';
import { healthApi } from '#features/operations/health/contract.ts';
import { invitationsApi } from '#features/people/invitations/contract.ts';
import { levelsApi } from '#features/people/levels/contract.ts';
import { mailApi } from '#features/messages/mail/contract.ts';
import { marksByLineApi } from '#features/feedback/common-difficulties/contract.ts';
import { melodyImportsApi } from '#features/melodies/imports/contract.ts';
import { melodiesApi } from '#features/melodies/contract.ts';
import { noticesApi } from '#features/messages/notices/contract.ts';
import { notificationsApi } from '#features/messages/notifications/contract.ts';
import { packApi } from '#features/offline/saved-melodies/contract.ts';
import { practiceLogApi } from '#features/practice/log/contract.ts';
import { passkeysApi } from '#features/accounts/passkeys/contract.ts';
import { passwordsApi } from '#features/accounts/passwords/contract.ts';
import { phrasesApi } from '#features/feedback/phrases/contract.ts';
import { recordingLinesApi } from '#features/line-matching/contract.ts';
import { recordingsApi } from '#features/recordings/contract.ts';
import { registrationsApi } from '#features/people/registrations/contract.ts';
import { signInApi } from '#features/accounts/sign-in/contract.ts';
import { teachingNotesApi } from '#features/teaching-notes/contract.ts';
import { uploadsApi } from '#features/uploads/contract.ts';
import { usersApi } from '#features/people/users/contract.ts';
import type { Endpoint } from '#shared/endpoint.ts';

/** The whole API. An endpoint that is not listed here does not exist. */
export const api = {
  signIn: signInApi,
  passkeys: passkeysApi,
  passwords: passwordsApi,
  registrations: registrationsApi,
  invitations: invitationsApi,
  levels: levelsApi,
  users: usersApi,
  account: profileApi,
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

export type AppApi = typeof api;

export const allEndpoints: Endpoint[] = Object.values<Record<string, Endpoint>>(api).flatMap((feature) =>
  Object.values(feature),
);
