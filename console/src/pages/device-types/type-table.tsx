import { t } from '../../languages/text.ts'
import { Link } from '../../ui/link.tsx'
import { type Column, List } from '../../ui/list/list.tsx'
import { formatCount } from '../../ui/numbers.ts'
import type { ListedType } from './device-types-page.tsx'

const columns: Column<ListedType>[] = [
  {
    title: t('Type'),
    phone: 'title',
    cell: ({ id, type_name }) => (
      <Link to="/device-types/$id" params={{ id: String(id) }} fz="sm" fw={600}>
        {type_name}
      </Link>
    ),
  },
  { title: t('Maker'), isOneLine: true, cell: ({ maker }) => maker ?? t('Your own') },
  { title: t('Model'), cell: modelsOf },
  { title: t('Measures'), isExtra: true, cell: measuresOf },
  {
    title: t('Devices'),
    phone: 'side',
    isNumber: true,
    cell: ({ id, devices }) =>
      devices === 0 ? (
        '0'
      ) : (
        <Link to="/devices" search={{ type: id }} fz="sm">
          {formatCount(devices)}
        </Link>
      ),
  },
]

/** The types in rows, and how many devices each has. */
export function TypeTable({ types }: { types: readonly ListedType[] }) {
  return <List caption={t('Device types')} rows={types} keyOf={keyOf} columns={columns} />
}

function keyOf({ id }: ListedType): number {
  return id
}

function modelsOf({ part_number, other_part_numbers }: ListedType): string {
  return [part_number, ...other_part_numbers].filter(Boolean).join(', ')
}

const mostNamed = 6

/** What people read; counters and codes, and what comes after the first, are on the page of the type. */
function measuresOf({ measures }: ListedType): string {
  const isNumber = ({ kind }: (typeof measures)[number]) => kind === 'number'
  const states = measures.filter(({ kind }) => kind === 'state')
  const read = [...measures.filter(isNumber), ...states]
  const named = read.slice(0, mostNamed).map(({ label, unit }) => {
    return unit ? `${label} (${unit})` : label
  })
  const more = read.length - named.length
  const names = named.join(', ')
  return more > 0 ? t('{names} and {more} more', { names, more }) : names
}
