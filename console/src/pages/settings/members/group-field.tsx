import { Select, type SelectProps } from '@mantine/core'
import { useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { useGroupChoices } from '../../../sources/choices.ts'
import { groupNames } from '../../../ui/group-names.ts'

/** The group to which a member or an API key is limited. */
export function GroupField(props: SelectProps) {
  const groups = useGroupChoices()
  return (
    <Select
      label={t('Only devices of the group')}
      placeholder={t('All')}
      clearable
      searchable
      data={groups}
      {...props}
    />
  )
}

/** What `GroupField` says of a member. */
export const limitOfMember = t('And its subgroups. They see nothing else of the fleet.')

/** The group to which something is limited, in a table; nothing without one. */
export function useGroupName(group: number | null): string | undefined {
  const groups = useApi('GET /fleet/groups', {}, { enabled: group !== null })
  if (group === null) return undefined
  const name = groupNames(groups.data?.data ?? []).get(group)
  return name ?? (groups.data ? t('a group that is gone') : t('one group'))
}
