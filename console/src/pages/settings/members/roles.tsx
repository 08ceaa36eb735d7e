import { Select, Text } from '@mantine/core'
import { type Role, roleNames, roleOf, roles } from '../../../../../server/src/lora/roles.ts'
import { t } from '../../../languages/text.ts'
import { namePermissions, type PermissionName } from '../../../session/permissions.ts'
import { useGroupName } from './group-field.tsx'

const labels: Record<Role, string> = {
  viewer: t('Viewer'),
  installer: t('Installer'),
  operator: t('Operator'),
  administrator: t('Administrator'),
}

interface RoleSelectProps {
  permissions: readonly PermissionName[]
  onChange: (permissions: PermissionName[]) => void
  mayGive: (permission: PermissionName) => boolean
}

/** Chooses several permissions at once. It has no value where they are no role. */
export function RoleSelect({ permissions, onChange, mayGive }: RoleSelectProps) {
  return (
    <Select
      label={t('Role')}
      placeholder={t('Custom')}
      data={roleNames.map((role) => ({
        value: role,
        label: labels[role],
        disabled: !roles[role].every(mayGive),
      }))}
      value={roleOf(permissions)}
      onChange={(role) => role && onChange([...roles[role]])}
      allowDeselect={false}
    />
  )
}

interface RightsTextProps {
  role: Role | null
  permissions: readonly PermissionName[]
  /** The group that they are limited to. */
  group: number | null
}

/** What somebody may change: the role, if it has a name, what that means, and where. */
export function RightsText({ role, permissions, group }: RightsTextProps) {
  const names = namePermissions(permissions)
  const only = useGroupName(group)
  return (
    <>
      <Text size="sm">{role === null ? names : labels[role]}</Text>
      {role !== null && (
        <Text size="xs" c="dimmed">
          {names}
        </Text>
      )}
      {only !== undefined && (
        <Text size="xs" c="dimmed">
          {t('only {name}', { name: only })}
        </Text>
      )}
    </>
  )
}
