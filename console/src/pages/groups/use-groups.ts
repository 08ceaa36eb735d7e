import { useMutation } from '@tanstack/react-query'
import { type Answer, call } from '../../api/client.ts'
import { keyOf, queryClient, useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { tellFailure, tellSuccess } from '../../ui/notices.tsx'
import { type GroupState, moved } from './group-tree.ts'

type Groups = Answer<'GET /fleet/groups'>
export type GroupDetails = Answer<'GET /fleet/groups/{group_id}'>['data']

const key = keyOf('GET /fleet/groups', {})

/** All groups, without their devices. */
export function useGroups() {
  return useApi('GET /fleet/groups', {}, { refetchInterval: 60_000 })
}

/** Everything that shows groups is read again. */
export function refreshGroups(): Promise<unknown> {
  const operations = ['GET /fleet/groups', 'GET /fleet/groups/{group_id}', 'GET /fleet/devices']
  return Promise.all(
    operations.map((operation) => queryClient.invalidateQueries({ queryKey: [operation] })),
  )
}

/** Changes what is shown at once; returns what takes it back. */
async function showFirst(change: (groups: GroupState[]) => GroupState[]): Promise<() => void> {
  await queryClient.cancelQueries({ queryKey: key })
  const before = queryClient.getQueryData<Groups>(key)
  if (before) queryClient.setQueryData<Groups>(key, { ...before, data: change(before.data) })
  return () => queryClient.setQueryData<Groups>(key, before)
}

interface Move {
  group: Pick<GroupState, 'id' | 'name'>
  parentId: number | null
  /** For messages. */
  parentName: string
}

/** Moves a group. It shows at once, and is taken back with the reason when it is refused. */
export function useMove() {
  return useMutation({
    mutationFn: ({ group, parentId }: Move) =>
      call('PATCH /fleet/groups/{group_id}', {
        path: { group_id: String(group.id) },
        body: { parent_id: parentId },
      }),
    onMutate: ({ group, parentId }) => showFirst((groups) => moved(groups, group.id, parentId)),
    onSuccess: (_, { group, parentName }) =>
      tellSuccess(t('{name} is in {parentName} now.', { name: group.name, parentName })),
    onError: (error, { group }, takeBack) => {
      takeBack?.()
      tellFailure(t('{name} was not moved', { name: group.name }), error)
    },
    onSettled: refreshGroups,
  })
}

interface Renaming {
  group: Pick<GroupState, 'id' | 'name'>
  name: string
}

/** Renames a group, in the same way. */
export function useRename() {
  return useMutation({
    mutationFn: ({ group, name }: Renaming) =>
      call('PATCH /fleet/groups/{group_id}', {
        path: { group_id: String(group.id) },
        body: { name },
      }),
    onMutate: ({ group, name }) =>
      showFirst((groups) => groups.map((one) => (one.id === group.id ? { ...one, name } : one))),
    onError: (error, { group }, takeBack) => {
      takeBack?.()
      tellFailure(t('{name} was not renamed', { name: group.name }), error)
    },
    onSettled: refreshGroups,
  })
}
