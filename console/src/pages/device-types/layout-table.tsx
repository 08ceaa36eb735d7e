import { Text } from '@mantine/core'
import type { Schemas } from '../../api/generated.ts'
import { type Column, List } from '../../ui/list/list.tsx'
import classes from './device-types.module.css'

type Message = Schemas['CatalogueMessage']
type LayoutField = Message['fields'][number]

const columns: readonly Column<LayoutField>[] = [
  { title: 'Where', cell: placeOf },
  { title: 'Field', cell: ({ label }) => label },
  {
    title: 'Key',
    isExtra: true,
    cell: ({ key }) => (
      <Text ff="monospace" size="xs">
        {key ?? '–'}
      </Text>
    ),
  },
  { title: 'Coding', cell: (field) => <Coding field={field} /> },
]

/** The layout of a message as a table. */
export function LayoutTable({ message }: { message: Message }) {
  if (message.fields.length === 0) {
    return <Text size="sm">This message has no bytes after its event code.</Text>
  }
  const rows = message.fields.map((field, index) => ({ ...field, index }))
  return (
    <List
      caption={`Layout of ${message.event_type}`}
      columns={columns}
      rows={rows}
      keyOf={(row) => (row as LayoutField & { index: number }).index}
    />
  )
}

function placeOf({ start, length, bits }: LayoutField): string {
  const end = length === null ? '' : start + length - 1
  const bytes = length === 1 ? `byte ${start}` : `bytes ${start}–${end}`
  if (bits === null) return bytes
  const highest = bits.lowest + bits.count - 1
  return bits.count === 1
    ? `${bytes}, bit ${bits.lowest}`
    : `${bytes}, bits ${highest}–${bits.lowest}`
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
          only when {field.when}
        </Text>
      )}
    </>
  )
}
