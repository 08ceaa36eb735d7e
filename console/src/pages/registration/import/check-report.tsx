import { Stack, Text, Title } from '@mantine/core'
import { rich, t } from '../../../languages/text.ts'
import { Link } from '../../../ui/link.tsx'
import { type Column, List } from '../../../ui/list/list.tsx'
import { formatCount } from '../../../ui/numbers.ts'
import { State } from '../../../ui/state.tsx'
import type { CheckResult, FaultyRow } from './csv-table.ts'

const columns: readonly Column<FaultyRow>[] = [
  { title: t('Row'), isNumber: true, cell: ({ number }) => formatCount(number) },
  { title: t('Device'), cell: ({ device }) => <code>{device.slice(0, 40) || '–'}</code> },
  { title: t('What is wrong'), cell: ({ faults }) => faults.join(' ') },
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
        {t('A first check')}
      </Title>
      <div role="status">
        {checked === undefined && <State kind="waiting">{t('Checking')}</State>}
        {checked?.faulty === 0 && (
          <State kind="good">
            {t('{total, plural, one {# row} other {# rows}} look right', { total })}
          </State>
        )}
        {checked && checked.faulty > 0 && (
          <State kind="warn">
            {t('{faulty, plural, one {# row} other {# rows}} of {total} will fail', {
              faulty: checked.faulty,
              total: formatCount(total),
            })}
          </State>
        )}
      </div>
      {checked && checked.faulty > 0 && (
        <>
          <Text size="sm" c="dimmed">
            {t(
              'You can send them anyway: each row has its own result, and you can fix the failed ones there.',
            )}
          </Text>
          {checked.keyless > 0 && (
            <Text size="sm">
              {rich(
                'Devices that a network of yours has already need no key: <link>take them over</link>, and this list tells their types.',
                {
                  link: (text) => (
                    <Link inherit underline="always" to="/start" search={{ step: 'devices' }}>
                      {text}
                    </Link>
                  ),
                },
              )}
            </Text>
          )}
          <List
            caption={t('Rows that will fail')}
            columns={columns}
            rows={checked.rows}
            keyOf={({ number }) => number}
          />
          {checked.faulty > checked.rows.length && (
            <Text size="xs" c="dimmed">
              {t('The first {count} are shown.', { count: checked.rows.length })}
            </Text>
          )}
        </>
      )}
    </Stack>
  )
}
