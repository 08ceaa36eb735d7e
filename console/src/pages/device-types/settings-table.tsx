import { Text, Title } from '@mantine/core'
import { defaultText, type Field, rangeText, type Section } from '../../downlinks/configuration.ts'
import { t } from '../../languages/text.ts'
import { type Column, List } from '../../ui/list/list.tsx'

const mostOptions = 8

const columns: readonly Column<Field>[] = [
  {
    title: t('Setting'),
    cell: ({ label, help }) => (
      <>
        <Text size="sm">{label}</Text>
        <Text size="xs" c="dimmed">
          {help}
        </Text>
      </>
    ),
  },
  { title: t('Values'), cell: valuesText },
  {
    title: t('Default'),
    isExtra: true,
    cell: (field) => defaultText(field).replace('Default: ', ''),
  },
]

/** The settings of one kind of message, with units and ranges. */
export function SettingsTable({ section }: { section: Section }) {
  return (
    <>
      <Title order={3} size="h5">
        {section.label}
      </Title>
      <List
        caption={section.label}
        columns={columns}
        rows={section.fields}
        keyOf={({ name }) => name}
      />
    </>
  )
}

function valuesText(field: Field): string {
  const range = rangeText(field)
  if (range !== undefined) return range
  if (field.type === 'toggle') return t('yes or no')
  const texts = field.options.map(({ text }) => text)
  if (texts.length <= mostOptions) return texts.join(', ')
  return t('{first} … {last} ({count} choices)', {
    first: texts.slice(0, 3).join(', '),
    last: texts.at(-1),
    count: texts.length,
  })
}
