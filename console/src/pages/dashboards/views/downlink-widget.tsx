import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { queryClient } from '../../../api/hooks.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { messageOf, tellSuccess } from '../../../ui/notices.tsx'
import { countOf } from '../../../ui/numbers.ts'
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
        const done = `Queued for ${queued} of ${countOf(devices.length, 'device')}.`
        throw new Error(`${done} ${device_name}: ${messageOf(error)}`)
      }
    }
    tellSuccess(`Queued for ${countOf(devices.length, 'device')}.`)
    await queryClient.invalidateQueries({ queryKey: ['GET /fleet/downlinks'] })
  }
  return (
    <div className={classes.button}>
      <ActionButton
        needs="manage_devices"
        blockedBy={devices.length === 0 ? 'No device is chosen.' : undefined}
        onClick={() => setQuestion(crypto.randomUUID())}
      >
        {title}
      </ActionButton>
      <p className={classes.facts}>
        {devices.length === 1 ? devices[0]?.device_name : countOf(devices.length, 'device')}
      </p>
      <Confirm
        opened={question !== undefined}
        title={`${title}?`}
        action={`Send to ${countOf(devices.length, 'device')}`}
        onConfirm={send}
        onClose={() => setQuestion(undefined)}
      >
        <p>
          Sends <code>{payload}</code> to port {f_port}
          {confirmed ? ', confirmed' : ''}. A message that was handed over is not taken back.
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
