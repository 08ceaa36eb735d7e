import { MultiSelect, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Form } from '../../../ui/form.tsx'
import { LinkButton } from '../../../ui/link.tsx'
import { useFleetFilters } from '../../../ui/list/use-fleet-filters.ts'
import { countOf } from '../../../ui/numbers.ts'
import { type Chosen, startJob } from './start-job.ts'

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
  const begin = async () => {
    const settings = { kind: 'move', mode, groups: wanted.map(Number) } as const
    onStarted(await startJob(settings, chosen, () => {}))
  }
  return (
    <Form
      action={`${verb} ${countOf(chosen.ids.length, 'device')}`}
      blockedBy={wanted.length === 0 ? 'Choose a group.' : undefined}
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
