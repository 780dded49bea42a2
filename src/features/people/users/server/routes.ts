import type { Handlers } from '#server/http/handlers.ts';
import type { usersApi } from '../contract.ts';
import { countBulkOutcomes } from '#server/bulk-item.ts';
import type { UsersService } from './service.ts';

export const createUsersRoutes = (users: UsersService): Handlers<typeof usersApi> => ({
  list: async ({ query, signal }) => ({ status: 200, page: await users.list(query, signal) }),
  one: async ({ params }) => ({ status: 200, body: await users.get(params.id) }),
  create: async ({ body, caller }) => ({ status: 201, body: await users.createStudent(body, caller) }),
  issuePassword: async ({ params, caller }) => ({
    status: 201,
    body: await users.issuePassword(params.id, caller),
  }),
  accessList: async ({ params }) => ({ status: 200, body: await users.listAccess(params.id) }),
  grant: async ({ params, body, caller }) => {
    const { access, isNew } = await users.grant(params.id, body.transmissionLevelId, caller);
    return { status: isNew ? 201 : 200, body: access };
  },
  revoke: async ({ params, caller }) => {
    await users.revoke(params.id, params.levelId, caller);
    return { status: 200, body: { message: 'Access revoked' } };
  },
  setStatus: async ({ params, body, caller }) => ({
    status: 200,
    body: await users.setStatus(params.id, body.isActive, caller),
  }),
  changeMany: async ({ body, caller }) => {
    const results = await users.changeMany(body, caller);
    return { status: 200, body: { ...countBulkOutcomes(results), results } };
  },
  remove: async ({ params, caller }) => {
    await users.remove(params.id, caller);
    return { status: 200, body: { message: 'User deleted' } };
  },
});
