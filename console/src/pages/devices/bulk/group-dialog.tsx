import { Button, Group, MultiSelect, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { LinkButton } from '../../../ui/link.tsx'
import { useFleetFilters } from '../../../ui/list/use-fleet-filters.ts'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { countOf } from '../../../ui/numbers.ts'
import { type Chosen, startJob } from './start-job.ts'
import { useStart } from './use-start.ts'

export type GroupMode = 'replace' | 'add' | 'remove'

interface GroupDialogProps {
  mode: GroupMode
  chosen: Chosen
  onStarted: (jobId: number) => void
  onClose: () => void
}

const texts = {
  replace: ['Group', 'The devices leave all other groups.', 'Move'],
  add: ['Groups', 'The devices stay in the groups that they are in.', 'Add'],
  remove: ['Groups', 'Devices that are not in them stay as they are.', 'Remove'],
} as const

export function GroupDialog({ mode, chosen, onStarted, onClose }: GroupDialogProps) {
  const groups = useFleetFilters().group.choices
  const [wanted, setWanted] = useState<readonly string[]>([])
  const { isBusy, error, start } = useStart(onStarted)
  const [label, description, verb] = texts[mode]
  if (groups.length === 0) {
    return (
      <Stack>
        <Text size="sm">There are no groups yet.</Text>
        <LinkButton to="/groups">Make a group</LinkButton>
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
    nothingFoundMessage: 'Nothing found',
  }
  const begin = () => {
    const settings = { kind: 'move', mode, groups: wanted.map(Number) } as const
    return startJob(settings, chosen, () => {})
  }
  return (
    <Stack>
      {mode === 'replace' ? (
        <Select
          {...common}
          value={wanted[0] ?? null}
          onChange={(value) => setWanted(value ? [value] : [])}
        />
      ) : (
        <MultiSelect {...common} value={[...wanted]} onChange={setWanted} />
      )}
      {error !== undefined && <ErrorNotice error={error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={isBusy} disabled={wanted.length === 0} onClick={() => start(begin)}>
          {verb} {countOf(chosen.ids.length, 'device')}
        </Button>
      </Group>
    </Stack>
  )
}
