import type { Handlers } from '#server/http/handlers.ts';
import type { recordingLinesApi } from '../contract.ts';
import type { RecordingLinesService } from './service.ts';

export const createRecordingLinesRoutes = (
  lines: RecordingLinesService,
): Handlers<typeof recordingLinesApi> => ({
  ofRecording: async ({ params, caller }) => ({
    status: 200,
    body: await lines.getByRecording(caller, params.id),
  }),
  correct: async ({ params, body, caller }) => {
    await lines.correct(params.id, body);
    return { status: 200, body: await lines.getByRecording(caller, params.id) };
  },
});
