import { Drawer, Stack, Text } from '@mantine/core'
import { type AccountKey, accountInQuery } from '../../accounts/account-key.ts'
import { useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { Eui } from '../../ui/eui.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { LoadingLines } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import type { FleetNetwork } from './network-words.ts'
import classes from './networks.module.css'

interface QuarantinedMessagesProps {
  network: FleetNetwork
  method: AccountKey
  /** Undefined while it is closed. */
  eui: string | undefined
  onClose: () => void
}

/** The newest messages of an EUI, as the network sent them. */
export function QuarantinedMessages({ network, method, eui, onClose }: QuarantinedMessagesProps) {
  const { data, error, isPending } = useApi(
    'GET /network-accounts/{network}/quarantine/{eui}',
    { path: { network: network.key, eui: eui ?? '' }, query: accountInQuery(method) },
    { enabled: eui !== undefined },
  )
  return (
    <Drawer
      opened={eui !== undefined}
      onClose={onClose}
      size="lg"
      title={t('Messages of {eui}', { eui: eui === '--' ? t('no device') : eui })}
    >
      {error && <ErrorNotice error={error} />}
      {isPending && <LoadingLines />}
      <Stack>
        {data?.data.map((message) => (
          <section key={message.id} aria-label={t('Message {id}', { id: message.id })}>
            <Text size="sm">
              <Time value={message.received_at} exact /> · {message.detail}
            </Text>
            {message.payload !== null && (
              <Text size="sm" c="dimmed" component="div">
                {t('Port {fport}, counter {fcnt}', { fport: message.f_port, fcnt: message.f_cnt })}
                {t('{rssi}, frame ', {
                  rssi: message.rssi === null ? '' : `, ${message.rssi} dBm`,
                })}
                <Eui value={message.payload} label={t('frame')} />
              </Text>
            )}
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
            <pre className={classes.message} tabIndex={0}>
              {written(message.message)}
            </pre>
          </section>
        ))}
      </Stack>
    </Drawer>
  )
}

/** JSON over several lines; anything else as it is. */
function written(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
