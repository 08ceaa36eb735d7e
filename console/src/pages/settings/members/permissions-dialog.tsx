import { Modal, Stack } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../../api/hooks.ts'
import { FormButtons } from '../../../ui/form-buttons.tsx'
import { ErrorNotice, tellSuccess } from '../../../ui/notices.tsx'
import { GroupField, limitOfMember } from './group-field.tsx'
import type { Member } from './members-table.tsx'
import { PermissionsField } from './permissions-field.tsx'

/** Changes what a member may do. */
export function PermissionsDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const [permissions, setPermissions] = useState(member.permissions)
  const [group, setGroup] = useState(member.group === null ? null : String(member.group))
  const name = member.name || member.email
  const change = useAction('PATCH /organization/users/{user_id}', {
    invalidates: ['GET /organization/users', 'GET /auth/session'],
    onSuccess: () => {
      tellSuccess(`The permissions of ${name} are changed.`)
      onClose()
    },
  })
  return (
    <Modal opened onClose={onClose} title={`Permissions of ${name}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const body = { permissions, group: group === null ? null : Number(group) }
          change.mutate({ path: { user_id: String(member.id) }, body })
        }}
      >
        <Stack>
          <PermissionsField
            value={permissions}
            onChange={setPermissions}
            held={member.permissions}
          />
          <GroupField description={limitOfMember} value={group} onChange={setGroup} />
          {change.error && <ErrorNotice error={change.error} />}
          <FormButtons action="Save" isBusy={change.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
