import { Text } from '@mantine/core'
import type { Schemas } from '../../../api/generated.ts'
import { t } from '../../../languages/text.ts'
import { type Column, List } from '../../../ui/list/list.tsx'

type Difference = Schemas['Difference']

interface DifferencesProps {
  differences: readonly Difference[]
  caption: string
  /** The headings of the two values. */
  names: readonly [before: string, after: string]
}

/** The differences between two decoded objects, path by path. */
export function Differences({ differences, caption, names }: DifferencesProps) {
  const columns: Column<Difference>[] = [
    {
      title: t('Member'),
      cell: ({ path }) => (
        <Text size="xs" ff="monospace">
          {path || t('(all)')}
        </Text>
      ),
    },
    { title: names[0], cell: ({ before }) => <Value value={before} /> },
    { title: names[1], cell: ({ after }) => <Value value={after} /> },
  ]
  return <List caption={caption} columns={columns} rows={differences} keyOf={({ path }) => path} />
}

const longest = 200

function Value({ value }: { value: unknown }) {
  if (value === undefined) return <Text size="xs">{t('missing')}</Text>
  const text = JSON.stringify(value)
  return (
    <Text size="xs" ff="monospace">
      {text.length <= longest ? text : `${text.slice(0, longest)} …`}
    </Text>
  )
}
