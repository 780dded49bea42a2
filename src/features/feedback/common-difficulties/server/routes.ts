import type { Handlers } from '#server/http/handlers.ts';
import type { marksByLineApi } from '../contract.ts';
import type { MarksByLineService } from './service.ts';

export const createMarksByLineRoutes = (marks: MarksByLineService): Handlers<typeof marksByLineApi> => ({
  ofMelody: async ({ caller, params }) => ({ status: 200, body: await marks.countByLine(params.id, caller) }),
  answers: async ({ caller, params, query }) => ({
    status: 200,
    page: await marks.listFeedback(params.id, query, caller),
  }),
});
