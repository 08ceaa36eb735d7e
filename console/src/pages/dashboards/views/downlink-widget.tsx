import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { queryClient } from '../../../api/hooks.ts'
import { rich, t } from '../../../languages/text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { messageOf, tellSuccess } from '../../../ui/notices.tsx'
import { widgetWords } from '../dashboard.ts'
import type { ViewProps } from './view.ts'
import classes from './views.module.css'

/** Sends the same bytes to each of some devices, after a question that names them. */
export default function DownlinkWidget({ widget, data }: ViewProps) {
  // Pressing the button of the question again sends nothing twice.
  const [question, setQuestion] = useState<string>()
  const devices = data.devices ?? []
  const { f_port = 1, payload = '', confirmed = false } = widget.options ?? {}
  const title = widget.title || widgetWords.downlink.name
  const send = async () => {
    // One after the other: each message is one of the ledger, and the first refusal stops the rest.
    for (const [queued, { device_id, device_name }] of devices.entries()) {
      try {
        const parts = { path: { device_id }, body: { f_port, payload, confirmed } }
        const idempotencyKey = `${question}-${device_id}`
        await call('POST /devices/{device_id}/downlink', parts, { idempotencyKey })
      } catch (error) {
        const done = t(
          'Queued for {queued} of {count, plural, one {# device} other {# devices}}.',
          { queued, count: devices.length },
        )
        throw new Error(`${done} ${device_name}: ${messageOf(error)}`)
      }
    }
    tellSuccess(
      t('Queued for {count, plural, one {# device} other {# devices}}.', { count: devices.length }),
    )
    await queryClient.invalidateQueries({ queryKey: ['GET /fleet/downlinks'] })
  }
  return (
    <div className={classes.button}>
      <ActionButton
        needs="manage_devices"
        blockedBy={devices.length === 0 ? t('No device is chosen.') : undefined}
        onClick={() => setQuestion(crypto.randomUUID())}
      >
        {title}
      </ActionButton>
      <p className={classes.facts}>
        {devices.length === 1
          ? devices[0]?.device_name
          : t('{count, plural, one {# device} other {# devices}}', { count: devices.length })}
      </p>
      <Confirm
        opened={question !== undefined}
        title={`${title}?`}
        action={t('Send to {count, plural, one {# device} other {# devices}}', {
          count: devices.length,
        })}
        onConfirm={send}
        onClose={() => setQuestion(undefined)}
      >
        <p>
          {confirmed
            ? rich('Sends {code} to port {fport}, confirmed.', {
                code: <code>{payload}</code>,
                fport: f_port,
              })
            : rich('Sends {code} to port {fport}.', {
                code: <code>{payload}</code>,
                fport: f_port,
              })}{' '}
          {t('A message that was handed over is not taken back.')}
        </p>
        <ul>
          {devices.map(({ device_id, device_name }) => (
            <li key={device_id}>{device_name}</li>
          ))}
        </ul>
      </Confirm>
    </div>
  )
}
