import type { Handlers } from '#server/http/handlers.ts';
import type { chosenMelodiesApi } from '../contract.ts';
import type { ChosenMelodiesService } from './service.ts';

export const createChosenMelodiesRoutes = (
  chosen: ChosenMelodiesService,
): Handlers<typeof chosenMelodiesApi> => ({
  favourites: async ({ caller }) => ({ status: 200, body: await chosen.listFavourites(caller) }),
  addFavourite: async ({ caller, params }) => {
    await chosen.addFavourite(caller, params.id);
    return { status: 200, body: { message: 'Favourite added' } };
  },
  removeFavourite: async ({ caller, params }) => {
    await chosen.removeFavourite(caller, params.id);
    return { status: 200, body: { message: 'Favourite removed' } };
  },
  today: async ({ caller }) => ({ status: 200, body: await chosen.listTodaysMelodies(caller) }),
  putToday: async ({ caller, params, body }) => {
    await chosen.saveTodaysMelody(caller, params.id, body.times);
    return { status: 200, body: { message: 'Added to the list' } };
  },
  removeToday: async ({ caller, params }) => {
    await chosen.removeFromTodaysList(caller, params.id);
    return { status: 200, body: { message: 'Removed from the list' } };
  },
  orderToday: async ({ caller, body }) => {
    await chosen.reorderTodaysList(caller, body.melodyIds);
    return { status: 200, body: { message: 'Order saved' } };
  },
});
