import { Stack, Text, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { call } from '../../api/client.ts'
import { useAction } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { tellSuccess } from '../../ui/notices.tsx'
import { GroupPicker } from './group-picker.tsx'
import { branchOf, type GroupState, pathOf } from './group-tree.ts'
import { refreshGroups, useMove } from './use-groups.ts'

type Named = Pick<GroupState, 'id' | 'name'>

interface CreateDialogProps {
  /** The group above; undefined for a top-level group. */
  parent: Named | undefined
  onClose: () => void
  onCreated?: (id: number) => void
}

export function CreateDialog({ parent, onClose, onCreated }: CreateDialogProps) {
  const [name, setName] = useState('')
  const create = useAction('POST /device-groups')
  const send = async () => {
    const body = { groupName: name, selectedGroup: parent?.id ?? null }
    const { data } = await create.mutateAsync({ body })
    void refreshGroups()
    tellSuccess(t('{groupName} is created.', { groupName: data.groupName }))
    onCreated?.(data.id)
    onClose()
  }
  return (
    <FormDialog
      title={parent ? t('New group in {name}', { name: parent.name }) : t('New group')}
      action={t('Create group')}
      needs="manage_groups"
      onSubmit={send}
      onClose={onClose}
    >
      {(errorOf) => (
        <TextInput
          label={t('Name')}
          maxLength={255}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={errorOf('groupName')}
          data-autofocus
        />
      )}
    </FormDialog>
  )
}

interface DeleteDialogProps {
  group: GroupState | undefined
  groups: readonly GroupState[]
  onClose: () => void
  onDeleted?: () => void
}

/** Says what becomes of the subgroups and the devices. */
export function DeleteDialog({ group, groups, onClose, onDeleted }: DeleteDialogProps) {
  const children = groups.filter(({ parent_id }) => parent_id === group?.id).length
  const [parent] = group ? pathOf(groups, group.id).slice(-1) : []
  const remove = async () => {
    if (!group) return
    await call('DELETE /device-groups/{group_id}', { path: { group_id: String(group.id) } })
    await refreshGroups()
    tellSuccess(t('{name} is deleted.', { name: group.name }))
    onDeleted?.()
  }
  return (
    <Confirm
      opened={group !== undefined}
      title={t('Delete {name}?', { name: group?.name ?? '' })}
      action={t('Delete group')}
      onConfirm={remove}
      onClose={onClose}
    >
      <Stack gap="xs">
        <span>
          {group?.own.devices
            ? t(
                '{devices, plural, one {# device} other {# devices}} in it are kept, without this group.',
                { devices: group.own.devices },
              )
            : t('It has no devices of its own.')}
        </span>
        {children > 0 && (
          <span>
            {t(
              '{children, plural, one {# subgroup} other {# subgroups}} with their devices move to ',
              { children },
            )}
            {parent ? parent.name : t('the top')}.
          </span>
        )}
        <span>{t('This cannot be undone.')}</span>
      </Stack>
    </Confirm>
  )
}

interface MoveDialogProps {
  group: GroupState
  groups: readonly GroupState[]
  onClose: () => void
}

/** The way to move a group without dragging it. */
export function MoveDialog({ group, groups, onClose }: MoveDialogProps) {
  const [target, setTarget] = useState<number | null | undefined>()
  const move = useMove()
  const choices = useMemo(() => {
    const own = branchOf(groups, group.id)
    return groups.filter(({ id }) => !own.has(id))
  }, [groups, group.id])
  const isSame = target === group.parent_id
  const send = () => {
    if (target === undefined || isSame) return
    const parentName = groups.find(({ id }) => id === target)?.name ?? t('the top level')
    move.mutate({ group, parentId: target, parentName })
    onClose()
  }
  return (
    <FormDialog
      title={t('Move {name}', { name: group.name })}
      action={t('Move group')}
      needs="manage_groups"
      blockedBy={blockOf(target === undefined, isSame)}
      onSubmit={send}
      onClose={onClose}
    >
      <Text size="sm">{t('It moves with its subgroups and all devices in them.')}</Text>
      <GroupPicker groups={choices} value={target} onChange={setTarget} />
    </FormDialog>
  )
}

function blockOf(isOpen: boolean, isSame: boolean): string | undefined {
  if (isOpen) return t('Choose a group.')
  return isSame ? t('It is already there.') : undefined
}
