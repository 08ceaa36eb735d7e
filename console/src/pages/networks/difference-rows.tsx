import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { Eui } from '../../ui/eui.tsx'
import { type Column, PlainTable } from '../../ui/plain-table.tsx'
import { State } from '../../ui/state.tsx'
import classes from './networks.module.css'
import {
  actionNames,
  actionWords,
  differenceNames,
  type Report,
  type ReportRow,
  type RowAction,
} from './reconcile-words.ts'

/** What tells a row from all others. */
export function placeOf({ kind, eui }: Pick<ReportRow, 'kind' | 'eui'>): string {
  return `${kind} ${eui}`
}

interface DifferenceRowsProps {
  report: Report
  choices: ReadonlyMap<string, RowAction>
  onChoose: (row: ReportRow, action: RowAction | undefined) => void
  onChooseAll: (choices: ReadonlyMap<string, RowAction>) => void
}

export function DifferenceRows({ report, choices, onChoose, onChooseAll }: DifferenceRowsProps) {
  const columns: readonly Column<ReportRow>[] = [
    { title: 'Kind', isExtra: true, cell: ({ kind }) => kind },
    {
      title: 'EUI',
      cell: ({ eui }) => (
        <div className={classes.eui}>{eui === null ? '–' : <Eui value={eui} />}</div>
      ),
    },
    { title: 'Difference', cell: (row) => <Difference row={row} /> },
    { title: 'Name here', isExtra: true, cell: (row) => row.name_here ?? '–' },
    { title: 'Name at the network', isExtra: true, cell: (row) => row.name_there ?? '–' },
    {
      title: 'What to do',
      cell: (row) => (
        <NativeSelect
          size="xs"
          aria-label={`What to do with ${row.eui}`}
          value={choices.get(placeOf(row)) ?? ''}
          onChange={(event) =>
            onChoose(row, (event.currentTarget.value || undefined) as RowAction | undefined)
          }
          data={[
            { value: '', label: 'Leave it' },
            ...row.actions.map((action) => ({ value: action, label: actionWords(action, row) })),
          ]}
        />
      ),
    },
  ]
  const chooseAll = (action: RowAction) =>
    onChooseAll(
      new Map(
        report.rows
          .filter(({ actions }) => actions.includes(action))
          .map((row) => [placeOf(row), action]),
      ),
    )
  return (
    <>
      <Group gap={4}>
        <Text size="sm">On this page:</Text>
        {(['adopt', 'repair', 'ignore'] as const).map((action) => (
          <Button key={action} size="compact-sm" variant="subtle" onClick={() => chooseAll(action)}>
            {actionNames[action]} what can be
          </Button>
        ))}
        <Button size="compact-sm" variant="subtle" onClick={() => onChooseAll(new Map())}>
          Leave all
        </Button>
      </Group>
      <PlainTable
        caption="Differences between the network and what is here"
        columns={columns}
        rows={report.rows}
        keyOf={placeOf}
      />
    </>
  )
}

function Difference({ row }: { row: ReportRow }) {
  if (!row.difference) return <State kind="good">Agrees</State>
  const { words, kind } = differenceNames[row.difference]
  return (
    <>
      <State kind={row.ignored ? 'off' : kind}>{row.ignored ? `${words}, ignored` : words}</State>
      {row.problem && (
        <Text size="xs" c="dimmed">
          {row.problem}
        </Text>
      )}
    </>
  )
}
