import { Alert, Button, Group, Text } from '@mantine/core'
import { useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { messageOf } from '../../ui/notices.tsx'
import { State } from '../../ui/state.tsx'

/** Every record is read for it: only when the page opens, and on demand. */
const staleTime = 10 * 60_000

/** Whether the hash chain of the records is whole. */
export function ChainState() {
  const { data, error, isFetching, refetch } = useApi(
    'GET /fleet/activity/verification',
    {},
    { staleTime },
  )
  const found = data?.data
  return (
    <>
      <Group gap="xs" role="status" aria-label={t('Audit log')}>
        {!found && !error && <State kind="waiting">{t('Verifying the audit log')}</State>}
        {error && <State kind="warn">{t('Not checked')}</State>}
        {error && <Text size="sm">{messageOf(error)}</Text>}
        {found?.is_whole && (
          <State kind="good">
            {found.records === 0
              ? t('No records yet')
              : t('Audit log verified ({records, plural, one {# record} other {# records}})', {
                  records: found.records,
                })}
          </State>
        )}
        {found && !found.is_whole && <State kind="bad">{t('The audit log was changed')}</State>}
        {found?.is_whole && found.records > 0 && (
          <Text
            size="xs"
            c="dimmed"
            title={t('Hash of record {last}: {lasthash}', {
              last: found.last,
              lasthash: found.last_hash,
            })}
          >
            {t('up to record {last}, ', { last: found.last })}
            <Text span inherit ff="monospace">
              {found.last_hash.slice(0, 12)}
            </Text>
          </Text>
        )}
        <Button
          variant="default"
          size="compact-xs"
          loading={isFetching}
          onClick={() => void refetch()}
        >
          {t('Check again')}
        </Button>
      </Group>
      {found?.fault && (
        <Alert color="red" variant="outline" title={t('The database was changed by other means')}>
          {t(
            '{message} Records before it are as the service has written them. Compare with an earlier export.',
            { message: found.fault.message },
          )}
        </Alert>
      )}
    </>
  )
}
