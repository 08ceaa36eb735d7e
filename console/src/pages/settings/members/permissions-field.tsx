import { Checkbox, Stack } from '@mantine/core'
import { t } from '../../../languages/text.ts'
import { type PermissionName, permissionLabels } from '../../../session/permissions.ts'
import { useSession } from '../../../session/session.ts'
import { RoleSelect } from './roles.tsx'

interface PermissionsFieldProps {
  value: readonly PermissionName[]
  onChange: (value: PermissionName[]) => void
  /** What the person holds now: that may stay, also what the user lacks. */
  held?: readonly PermissionName[]
  description?: string
}

const ofMembers = t('Every member may read everything except secrets.')

/** A box per permission, and the roles that tick several. Nobody can give what they lack. */
export function PermissionsField(props: PermissionsFieldProps) {
  const { value, onChange, held = [], description = ofMembers } = props
  const { organization } = useSession()
  const mayGive = (name: PermissionName) =>
    organization.is_owner || organization.permissions.includes(name) || held.includes(name)
  return (
    <Stack gap="sm">
      <RoleSelect permissions={value} onChange={onChange} mayGive={mayGive} />
      <Checkbox.Group
        label={t('May change')}
        description={description}
        value={[...value]}
        onChange={(names) => onChange(names as PermissionName[])}
      >
        <Stack gap="xs" mt="xs">
          {permissionLabels.map(([name, label, what]) => (
            <Checkbox
              key={name}
              value={name}
              label={label}
              description={mayGive(name) ? what : t('You do not have this permission yourself.')}
              disabled={!mayGive(name)}
            />
          ))}
        </Stack>
      </Checkbox.Group>
    </Stack>
  )
}
