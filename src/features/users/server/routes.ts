import { notFound } from '../../../platform/contract/errors.ts';
import type { Handlers } from '../../../platform/server/http/handlers.ts';
import type { usersApi } from '../contract.ts';
import type { UsersService } from './service.ts';

const notYet = () => Promise.reject(notFound());

export const usersRoutes = (users: UsersService): Handlers<typeof usersApi> => ({
  list: async ({ query }) => ({ status: 200, body: await users.list(query.q ?? '') }),
  create: async ({ body, caller }) => ({ status: 201, body: await users.createStudent(body, caller.id) }),
  accessList: async ({ params }) => ({ status: 200, body: await users.accessOf(params.id) }),
  grant: async ({ params, body, caller }) => {
    const { access, isNew } = await users.grant(params.id, body.transmissionLevelId, caller.id);
    return { status: isNew ? 201 : 200, body: access };
  },
  revoke: async ({ params }) => {
    await users.revoke(params.id, params.levelId);
    return { status: 200, body: { message: 'Access revoked' } };
  },
  setStatus: notYet,
  remove: notYet,
});
