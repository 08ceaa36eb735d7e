import { MultiSelect, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../../languages/text.ts'
import { Form } from '../../../ui/form.tsx'
import { LinkButton } from '../../../ui/link.tsx'
import { useFleetFilters } from '../../../ui/list/use-fleet-filters.ts'
import { type Chosen, startJob } from './start-job.ts'

export type GroupMode = 'replace' | 'add' | 'remove'

interface GroupDialogProps {
  mode: GroupMode
  chosen: Chosen
  onStarted: (jobId: number) => void
  onClose: () => void
}

const texts = {
  replace: [t('Group'), t('The devices leave all other groups.'), t('Move')],
  add: [t('Groups'), t('The devices stay in the groups that they are in.'), t('Add')],
  remove: [t('Groups'), t('Devices that are not in them stay as they are.'), t('Remove')],
} as const

export function GroupDialog({ mode, chosen, onStarted, onClose }: GroupDialogProps) {
  const groups = useFleetFilters().group.choices
  const [wanted, setWanted] = useState<readonly string[]>([])
  const [label, description, verb] = texts[mode]
  if (groups.length === 0) {
    return (
      <Stack>
        <Text size="sm">{t('There are no groups yet.')}</Text>
        <LinkButton to="/groups">{t('Make a group')}</LinkButton>
      </Stack>
    )
  }
  const common = {
    'data-autofocus': true,
    label,
    description,
    data: [...groups],
    searchable: true,
    limit: 200,
    nothingFoundMessage: t('Nothing found'),
  }
  const begin = async () => {
    const settings = { kind: 'move', mode, groups: wanted.map(Number) } as const
    onStarted(await startJob(settings, chosen, () => {}))
  }
  return (
    <Form
      action={`${verb} ${t('{count, plural, one {# device} other {# devices}}', { count: chosen.ids.length })}`}
      blockedBy={wanted.length === 0 ? t('Choose a group.') : undefined}
      onSubmit={begin}
      onClose={onClose}
    >
      {mode === 'replace' ? (
        <Select
          {...common}
          value={wanted[0] ?? null}
          onChange={(value) => setWanted(value ? [value] : [])}
        />
      ) : (
        <MultiSelect {...common} value={[...wanted]} onChange={setWanted} />
      )}
    </Form>
  )
}
