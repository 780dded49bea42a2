import { useMutation } from '@tanstack/react-query';
import { callApi } from '#web/api/call.ts';
import { createApiQuery, queryClient, refreshQueries } from '#web/api/query-client.ts';
import { showFailureToast } from '#web/ui/toast-failure.ts';
import { toast } from '#web/ui/toasts.ts';
import type { Level } from '#features/people/levels/contract.ts';
import type { TransmissionAccess } from '../contract.ts';

export const getLevelAccessFailureTitle = (isGrant: boolean) =>
  `Failed to ${isGrant ? 'grant' : 'revoke'} transmission access.`;

/**
 * Returns a mutation that grants the level (`true`) or revokes it (`false`). Not optimistic: the page shows the
 * access only once the server has confirmed it.
 */
export function useLevelAccessChange(userId: string, level: Level, studentName: string) {
  const saving = ['access', userId];
  const { queryKey } = accessQuery(userId);
  return useMutation({
    mutationKey: saving,
    mutationFn: (isGrant: boolean) => saveAccess(userId, level.id, isGrant),
    meta: { refreshes: ['/api/admin/audit-log'] },
    // Sends the requests one after the other, so that the last tick is also the last to arrive.
    scope: { id: `access ${userId} ${level.id}` },
    // Cancels refetches that began before the save, because their responses would overwrite its result.
    onMutate: () => queryClient.cancelQueries({ queryKey }),
    onSuccess: (_answer, isGrant) => {
      updateCachedAccess(userId, level.id, isGrant);
      toast({
        title: isGrant ? 'Access Granted' : 'Access Revoked',
        description: isGrant
          ? `${studentName} can now hear the melodies of “${level.name}”.`
          : `${studentName} can no longer hear the melodies of “${level.name}”.`,
      });
    },
    onError: (error, isGrant) => {
      showFailureToast(getLevelAccessFailureTitle(isGrant), error);
      // Refetches after the last pending request, because the change may have been saved although its response
      // was lost.
      const isLast = queryClient.isMutating({ mutationKey: saving }) === 1;
      if (isLast) refreshQueries([queryKey[0]]);
    },
  });
}

async function saveAccess(id: string, levelId: number, isGrant: boolean): Promise<void> {
  if (isGrant) {
    await callApi('POST /api/admin/users/{id}/transmission-access', {
      params: { id },
      body: { transmissionLevelId: levelId },
    });
  } else {
    await callApi('DELETE /api/admin/users/{id}/transmission-access/{levelId}', { params: { id, levelId } });
  }
}

const accessQuery = (id: string) =>
  createApiQuery('GET /api/admin/users/{id}/transmission-access', { params: { id } });

function updateCachedAccess(id: string, levelId: number, isGranted: boolean) {
  queryClient.setQueryData<TransmissionAccess[]>(accessQuery(id).queryKey, (before = []) => {
    const others = before.filter(({ transmissionLevelId }) => transmissionLevelId !== levelId);
    const shown = { id: 0, transmissionLevelId: levelId, grantedAt: new Date().toISOString() };
    return isGranted ? [...others, shown] : others;
  });
}
