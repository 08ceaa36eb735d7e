import { Text } from '@mantine/core'
import { t } from '../../languages/text.ts'
import { State } from '../../ui/state.tsx'
import type { AccountCheck } from './network-words.ts'
import classes from './networks.module.css'

const names: Record<AccountCheck['name'], string> = {
  reachable: t('The network answers'),
  credentials: t('Credentials'),
  list_devices: t('List devices'),
  create_devices: t('Create devices'),
  list_gateways: t('List gateways'),
  create_gateways: t('Create gateways'),
  downlinks: t('Send downlinks'),
  callback: t('Callback'),
  mqtt: 'MQTT',
}

/** What a check of the account has found, with what to do about it. */
export function CheckList({ checks }: { checks: readonly AccountCheck[] }) {
  return (
    <section aria-label={t('Result of the check')}>
      <Text role="status" size="sm" fw={600} mb={4}>
        {summary(checks)}
      </Text>
      <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {checks.map((check) => (
          <li key={check.name} className={classes.check}>
            <State kind={check.ok === null ? 'off' : check.ok ? 'good' : 'bad'}>
              {names[check.name]}
            </State>
            <div>
              <Text size="sm" c={check.ok === false ? undefined : 'dimmed'}>
                {check.message || words(check.ok)}
              </Text>
              {check.what_to_do && (
                <Text size="sm" fw={500}>
                  {check.what_to_do}
                </Text>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function summary(checks: readonly AccountCheck[]): string {
  const wrong = checks.filter(({ ok }) => ok === false).length
  if (wrong === 0) return t('All checks passed.')
  return wrong === 1 ? t('One check failed.') : t('{wrong} checks failed.', { wrong })
}

function words(ok: boolean | null): string {
  return ok === null ? 'Unknown.' : ok ? 'Passed.' : 'Failed.'
}
