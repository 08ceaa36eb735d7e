import { Text } from '@mantine/core'
import type { Schemas } from '../../api/generated.ts'
import { t } from '../../languages/text.ts'
import { type Column, List } from '../../ui/list/list.tsx'
import classes from './device-types.module.css'

type Message = Schemas['CatalogueMessage']
type LayoutField = Message['fields'][number]

const columns: readonly Column<LayoutField>[] = [
  { title: t('Where'), cell: placeOf },
  { title: t('Field'), cell: ({ label }) => label },
  {
    title: t('Key'),
    isExtra: true,
    cell: ({ key }) => (
      <Text ff="monospace" size="xs">
        {key ?? '–'}
      </Text>
    ),
  },
  { title: t('Coding'), cell: (field) => <Coding field={field} /> },
]

/** The layout of a message as a table. */
export function LayoutTable({ message }: { message: Message }) {
  if (message.fields.length === 0) {
    return <Text size="sm">{t('This message has no bytes after its event code.')}</Text>
  }
  const rows = message.fields.map((field, index) => ({ ...field, index }))
  return (
    <List
      caption={t('Layout of {eventtype}', { eventtype: message.event_type })}
      columns={columns}
      rows={rows}
      keyOf={(row) => (row as LayoutField & { index: number }).index}
    />
  )
}

function placeOf({ start, length, bits }: LayoutField): string {
  const end = length === null ? '' : start + length - 1
  const bytes =
    length === 1 ? t('byte {start}', { start }) : t('bytes {start}–{end}', { start, end })
  if (bits === null) return bytes
  const highest = bits.lowest + bits.count - 1
  return bits.count === 1
    ? t('{bytes}, bit {lowest}', { bytes, lowest: bits.lowest })
    : t('{bytes}, bits {highest}–{lowest}', { bytes, highest, lowest: bits.lowest })
}

function Coding({ field }: { field: LayoutField }) {
  return (
    <>
      {field.coding !== null && <Text size="sm">{field.coding}</Text>}
      {field.values.length > 0 && (
        <ul className={classes.values}>
          {field.values.map(({ value, text }) => (
            <li key={value}>
              <span>{value}</span> {text}
            </li>
          ))}
        </ul>
      )}
      {field.when !== null && (
        <Text size="xs" c="dimmed">
          {t('only when {when}', { when: field.when })}
        </Text>
      )}
    </>
  )
}
