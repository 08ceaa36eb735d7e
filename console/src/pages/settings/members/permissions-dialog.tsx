import { useState } from 'react'
import { useAction } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'
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
  })
  const save = async () => {
    const body = { permissions, group: group === null ? null : Number(group) }
    await change.mutateAsync({ path: { user_id: String(member.id) }, body })
    tellSuccess(t('The permissions of {name} are changed.', { name }))
    onClose()
  }
  return (
    <FormDialog
      title={t('Permissions of {name}', { name })}
      action={t('Save')}
      onSubmit={save}
      onClose={onClose}
    >
      <PermissionsField value={permissions} onChange={setPermissions} held={member.permissions} />
      <GroupField description={limitOfMember} value={group} onChange={setGroup} />
    </FormDialog>
  )
}
