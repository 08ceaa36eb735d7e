import { Text } from '@mantine/core'
import { State } from '../../ui/state.tsx'
import type { AccountCheck } from './network-words.ts'
import classes from './networks.module.css'

const names: Record<AccountCheck['name'], string> = {
  reachable: 'The network answers',
  credentials: 'Credentials',
  list_devices: 'List devices',
  create_devices: 'Create devices',
  list_gateways: 'List gateways',
  create_gateways: 'Create gateways',
  downlinks: 'Send downlinks',
  callback: 'Callback',
  mqtt: 'MQTT',
}

/** What a check of the account has found, with what to do about it. */
export function CheckList({ checks }: { checks: readonly AccountCheck[] }) {
  return (
    <section aria-label="Result of the check">
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
  if (wrong === 0) return 'All checks passed.'
  return wrong === 1 ? 'One check failed.' : `${wrong} checks failed.`
}

function words(ok: boolean | null): string {
  return ok === null ? 'Unknown.' : ok ? 'Passed.' : 'Failed.'
}
