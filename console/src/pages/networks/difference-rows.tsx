import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { t } from '../../languages/text.ts'
import { Eui } from '../../ui/eui.tsx'
import { type Column, List } from '../../ui/list/list.tsx'
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
import { TypeSelect } from './type-select.tsx'

/** A key that only this row has. */
export function placeOf({ kind, eui }: Pick<ReportRow, 'kind' | 'eui'>): string {
  return `${kind} ${eui}`
}

/** Whether it becomes a new device here, which needs a type. */
export function takesType(row: ReportRow, action: RowAction | undefined): boolean {
  return action === 'adopt' && row.kind === 'device' && row.difference === 'only_at_network'
}

interface DifferenceRowsProps {
  report: Report
  choices: ReadonlyMap<string, RowAction>
  types: ReadonlyMap<string, number>
  onChoose: (row: ReportRow, action: RowAction | undefined) => void
  onType: (row: ReportRow, typeId: number | undefined) => void
  onChooseAll: (choices: ReadonlyMap<string, RowAction>) => void
}

export function DifferenceRows(props: DifferenceRowsProps) {
  const { report, choices, types, onChoose, onType, onChooseAll } = props
  const columns: readonly Column<ReportRow>[] = [
    { title: t('Kind'), isExtra: true, cell: ({ kind }) => kind },
    {
      title: 'EUI',
      cell: ({ eui }) => (
        <div className={classes.eui}>{eui === null ? '–' : <Eui value={eui} />}</div>
      ),
    },
    { title: t('Difference'), cell: (row) => <Difference row={row} /> },
    { title: t('Name here'), isExtra: true, cell: (row) => row.name_here ?? '–' },
    { title: t('Name at the network'), isExtra: true, cell: (row) => row.name_there ?? '–' },
    {
      title: t('What to do'),
      cell: (row) => (
        <Stack gap={4}>
          <ActionSelect row={row} action={choices.get(placeOf(row))} onChoose={onChoose} />
          {takesType(row, choices.get(placeOf(row))) && (
            <TypeSelect
              isInRow
              label={t('Type of {eui}', { eui: row.eui })}
              placeholder={t('The type above')}
              value={types.get(placeOf(row))}
              onChange={(typeId) => onType(row, typeId)}
            />
          )}
        </Stack>
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
        <Text size="sm">{t('On this page:')}</Text>
        {(['adopt', 'repair', 'ignore'] as const).map((action) => (
          <Button key={action} size="compact-sm" variant="subtle" onClick={() => chooseAll(action)}>
            {t('{action} what can be', { action: actionNames[action] })}
          </Button>
        ))}
        <Button size="compact-sm" variant="subtle" onClick={() => onChooseAll(new Map())}>
          {t('Clear selection')}
        </Button>
      </Group>
      <List
        caption={t('Differences between the network and what is here')}
        columns={columns}
        rows={report.rows}
        keyOf={placeOf}
      />
    </>
  )
}

interface ActionSelectProps {
  row: ReportRow
  action: RowAction | undefined
  onChoose: DifferenceRowsProps['onChoose']
}

function ActionSelect({ row, action, onChoose }: ActionSelectProps) {
  return (
    <NativeSelect
      size="xs"
      aria-label={t('What to do with {eui}', { eui: row.eui })}
      value={action ?? ''}
      onChange={(event) =>
        onChoose(row, (event.currentTarget.value || undefined) as RowAction | undefined)
      }
      data={[
        { value: '', label: t('Leave it') },
        ...row.actions.map((each) => ({ value: each, label: actionWords(each, row) })),
      ]}
    />
  )
}

function Difference({ row }: { row: ReportRow }) {
  if (!row.difference) return <State kind="good">{t('Agrees')}</State>
  const { words, kind } = differenceNames[row.difference]
  return (
    <>
      <State kind={row.ignored ? 'off' : kind}>
        {row.ignored ? t('{words}, ignored', { words }) : words}
      </State>
      {row.problem && (
        <Text size="xs" c="dimmed">
          {row.problem}
        </Text>
      )}
    </>
  )
}
