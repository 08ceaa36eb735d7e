import { Radio, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { t } from '../../languages/text.ts'
import { compareNames } from '../../ui/names.ts'
import { type GroupState, pathOf } from './group-tree.ts'

interface GroupPickerProps {
  groups: readonly GroupState[]
  /** Null is the top; undefined is no choice yet. */
  value: number | null | undefined
  onChange: (id: number | null) => void
}

/** Choices in sight at once; the search finds the others. */
const mostShown = 50

/** Chooses a group, or the top. */
export function GroupPicker({ groups, value, onChange }: GroupPickerProps) {
  const [search, setSearch] = useState('')
  const found = useMemo(() => {
    const wanted = search.trim().toLowerCase()
    return groups
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .sort((one, other) => compareNames(one.name, other.name))
  }, [groups, search])
  return (
    <Stack gap="xs">
      <TextInput
        label={t('Search groups')}
        type="search"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        data-autofocus
      />
      <Radio.Group
        label={t('Into')}
        value={value === undefined ? '' : String(value)}
        onChange={(chosen) => onChange(chosen === 'null' ? null : Number(chosen))}
      >
        <ScrollArea.Autosize mah={280} type="auto" mt={4}>
          <Stack gap={6} p={4}>
            <Radio value="null" label={t('The top level')} />
            {found.slice(0, mostShown).map((group) => (
              <Radio
                key={group.id}
                value={String(group.id)}
                label={group.name}
                description={placeOf(groups, group.id)}
              />
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Radio.Group>
      {found.length > mostShown && (
        <Text size="xs" c="dimmed">
          {t('{count} more: search for them.', { count: found.length - mostShown })}
        </Text>
      )}
    </Stack>
  )
}

function placeOf(groups: readonly GroupState[], id: number): string | undefined {
  const path = pathOf(groups, id)
  return path.length === 0
    ? undefined
    : t('in {path}', { path: path.map(({ name }) => name).join(' / ') })
}
