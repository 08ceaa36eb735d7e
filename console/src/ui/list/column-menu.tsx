import { ActionIcon, Button, Checkbox, Group, Popover, Stack } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconColumns3 } from '@tabler/icons-react'
import { t } from '../../languages/text.ts'

interface ColumnMenuProps {
  columns: readonly { id: string; title: string }[]
  /** The ids of the columns that are shown, in order. */
  shown: readonly string[]
  /** The choice that "Reset" goes back to. */
  usual: readonly string[]
  onChange: (shown: readonly string[]) => void
}

/** Chooses the columns of a table and their order. The last one cannot be hidden. */
export function ColumnMenu({ columns, shown, usual, onChange }: ColumnMenuProps) {
  const titleOf = new Map(columns.map(({ id, title }) => [id, title]))
  const hidden = columns.filter(({ id }) => !shown.includes(id))
  const swap = (index: number, other: number) => {
    const next = [...shown]
    const [one, two] = [next[index], next[other]]
    if (one === undefined || two === undefined) return
    next[index] = two
    next[other] = one
    onChange(next)
  }
  return (
    <Popover position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns3 size={16} aria-hidden />}>
          {t('Columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown mah={420} style={{ overflow: 'auto' }}>
        <Stack gap={4} role="group" aria-label={t('Columns')}>
          {shown.map((id, index) => (
            <Group key={id} justify="space-between" wrap="nowrap" gap="xs">
              <Checkbox
                label={titleOf.get(id) ?? id}
                checked
                disabled={shown.length === 1}
                onChange={() => onChange(shown.filter((each) => each !== id))}
              />
              <Group gap={2} wrap="nowrap">
                <MoveButton
                  label={t('Move {id} up', { id: titleOf.get(id) })}
                  Icon={IconArrowUp}
                  isOff={index === 0}
                  onClick={() => swap(index, index - 1)}
                />
                <MoveButton
                  label={t('Move {id} down', { id: titleOf.get(id) })}
                  Icon={IconArrowDown}
                  isOff={index === shown.length - 1}
                  onClick={() => swap(index, index + 1)}
                />
              </Group>
            </Group>
          ))}
          {hidden.map(({ id, title }) => (
            <Checkbox
              key={id}
              label={title}
              checked={false}
              onChange={() => onChange([...shown, id])}
            />
          ))}
          <Button variant="subtle" size="xs" onClick={() => onChange(usual)}>
            {t('Reset')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

interface MoveButtonProps {
  label: string
  Icon: typeof IconArrowUp
  isOff: boolean
  onClick: () => void
}

function MoveButton({ label, Icon, isOff, onClick }: MoveButtonProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={isOff} onClick={onClick}>
      <Icon size={14} aria-hidden />
    </ActionIcon>
  )
}
