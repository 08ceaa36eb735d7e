import { Select, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { switchOrganization, useSession } from '../session/session.ts'

/** The name of the organization; a choice where the user has several. */
export function OrganizationSwitcher() {
  const { session, organization } = useSession()
  const navigate = useNavigate()
  if (session.organizations.length === 1) {
    return (
      <Text c="dimmed" truncate>
        {organization.name}
      </Text>
    )
  }
  return (
    <Select
      aria-label="Organization"
      size="xs"
      searchable
      allowDeselect={false}
      value={String(organization.id)}
      data={session.organizations.map(({ id, name }) => ({ value: String(id), label: name }))}
      onChange={async (id) => {
        if (id === null) return
        switchOrganization(Number(id))
        await navigate({ to: '/', search: { org: Number(id) } })
      }}
    />
  )
}
