import { ActionIcon, Group, TextInput } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { t } from '../../languages/text.ts'
import { useMay } from '../../session/session.ts'
import { useRename } from './use-groups.ts'

/** The name of the group, changed where it stands. */
export function GroupTitle({ group }: { group: { id: number; name: string } }) {
  const [isEditing, setEditing] = useState(false)
  const [name, setName] = useState(group.name)
  const may = useMay('manage_groups')
  const rename = useRename()
  const finish = () => {
    setEditing(false)
    if (name.trim() !== '' && name !== group.name) rename.mutate({ group, name })
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') finish()
    if (event.key === 'Escape') setEditing(false)
  }
  if (isEditing) {
    return (
      <TextInput
        aria-label={t('New name of {name}', { name: group.name })}
        maxLength={255}
        autoFocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={press}
        onBlur={finish}
        onFocus={(event) => event.currentTarget.select()}
      />
    )
  }
  const shown = rename.isPending ? rename.variables.name : group.name
  return (
    <Group gap={4} wrap="nowrap" align="center">
      <span>{shown}</span>
      {may && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('Rename group')}
          onClick={() => {
            setName(group.name)
            setEditing(true)
          }}
        >
          <IconPencil size={16} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  )
}
