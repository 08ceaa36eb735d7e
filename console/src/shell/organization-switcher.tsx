import { Select, Text } from '@mantine/core'
import { t } from '../languages/text.ts'
import { useSession } from '../session/session.ts'
import { useSwitchOrganization } from '../session/use-switch-organization.ts'

/** The name of the organization; a choice if the user has several. */
export function OrganizationSwitcher() {
  const { session, organization } = useSession()
  const change = useSwitchOrganization()
  if (session.organizations.length === 1) {
    return (
      <Text c="dimmed" truncate>
        {organization.name}
      </Text>
    )
  }
  return (
    <Select
      aria-label={t('Organization')}
      size="xs"
      searchable
      allowDeselect={false}
      value={String(organization.id)}
      data={session.organizations.map(({ id, name }) => ({ value: String(id), label: name }))}
      onChange={(id) => {
        if (id !== null) void change(Number(id))
      }}
    />
  )
}
