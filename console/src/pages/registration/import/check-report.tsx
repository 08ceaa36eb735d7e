import { Stack, Text, Title } from '@mantine/core'
import { type Column, List } from '../../../ui/list/list.tsx'
import { countOf, formatCount } from '../../../ui/numbers.ts'
import { State } from '../../../ui/state.tsx'
import type { CheckResult, FaultyRow } from './csv-table.ts'

const columns: readonly Column<FaultyRow>[] = [
  { title: 'Row', isNumber: true, cell: ({ number }) => formatCount(number) },
  { title: 'Device', cell: ({ device }) => <code>{device.slice(0, 40) || '–'}</code> },
  { title: 'What is wrong', cell: ({ faults }) => faults.join(' ') },
]

/** The faults that the browser finds in the rows. Such rows may be sent, and fixed later. */
export function CheckReport({
  total,
  checked,
}: {
  total: number
  checked: CheckResult | undefined
}) {
  return (
    <Stack gap="xs" component="section" aria-labelledby="check">
      <Title order={2} size="h4" id="check">
        A first check
      </Title>
      <div role="status">
        {checked === undefined && <State kind="waiting">Checking</State>}
        {checked?.faulty === 0 && (
          <State kind="good">{`${countOf(total, 'row')} look right`}</State>
        )}
        {checked && checked.faulty > 0 && (
          <State kind="warn">{`${countOf(checked.faulty, 'row')} of ${formatCount(total)} will fail`}</State>
        )}
      </div>
      {checked && checked.faulty > 0 && (
        <>
          <Text size="sm" c="dimmed">
            You can send them anyway: each row has its own result, and you can fix the failed ones
            there.
          </Text>
          <List
            caption="Rows that will fail"
            columns={columns}
            rows={checked.rows}
            keyOf={({ number }) => number}
          />
          {checked.faulty > checked.rows.length && (
            <Text size="xs" c="dimmed">{`The first ${checked.rows.length} are shown.`}</Text>
          )}
        </>
      )}
    </Stack>
  )
}
