import {
  Button,
  Checkbox,
  Group,
  Modal,
  NativeSelect,
  NumberInput,
  Stack,
  Textarea,
} from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useAction } from '../../../api/hooks.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { DraftNotice, useDraft } from '../../../ui/draft.tsx'
import { ErrorNotice, tellFailure, tellSuccess } from '../../../ui/notices.tsx'

/** Seconds, as text, by what a person chooses. */
const validities = [
  { value: '', label: 'Until the network accepts it' },
  { value: '600', label: '10 minutes' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
]

interface RawDialogProps {
  eui: string
  onSent: () => void
  onClose: () => void
}

/** Sends bytes as they are, for devices and messages that no form describes. */
export function RawDialog(props: RawDialogProps) {
  return (
    <Modal opened onClose={props.onClose} title="Send bytes">
      <RawForm {...props} />
    </Modal>
  )
}

const empty = { port: '' as number | string, payload: '', isConfirmed: false, validity: '' }

function RawForm({ eui, onSent, onClose }: RawDialogProps) {
  const draft = useDraft(`bytes for ${eui}`, empty)
  const [values, setValues] = useState(draft.start)
  const set = (changes: Partial<typeof empty>) => {
    setValues({ ...values, ...changes })
    draft.keep({ ...values, ...changes })
  }
  const close = () => {
    draft.forget()
    onClose()
  }
  const send = useSending(() => {
    close()
    onSent()
  })
  const errors = send.error?.errors ?? {}
  const faultOf = (...names: string[]) => names.map((name) => errors[name]?.[0]).find(Boolean)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send.mutate({ path: { device_id: eui }, body: bodyOf(values) })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <DraftNotice draft={draft} onStartOver={setValues} />
        <NumberInput
          label="Port"
          description="The LoRaWAN port, 1 to 223"
          required
          allowDecimal={false}
          value={values.port}
          onChange={(port) => set({ port })}
          error={faultOf('f_port')}
          data-autofocus
        />
        <Textarea
          label="Bytes"
          description="Hexadecimal, such as 01 02 ff; up to 242 bytes"
          required
          autosize
          minRows={1}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={values.payload}
          onChange={(event) => set({ payload: event.currentTarget.value })}
          error={faultOf('payload')}
        />
        <NativeSelect
          label="Valid for"
          description="If the network has not accepted it by then, it expires and is never sent"
          data={validities}
          value={values.validity}
          onChange={(event) => set({ validity: event.currentTarget.value })}
          error={faultOf('valid_seconds', 'expires_at')}
        />
        <Checkbox
          label="Confirmed"
          description="The network repeats it until the device acknowledges it, and sends nothing else meanwhile"
          checked={values.isConfirmed}
          onChange={(event) => set({ isConfirmed: event.currentTarget.checked })}
          error={faultOf('confirmed')}
        />
        {send.error && Object.keys(errors).length === 0 && <ErrorNotice error={send.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <ActionButton type="submit" needs="manage_devices" loading={send.isPending}>
            Send
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}

function bodyOf({ port, payload, isConfirmed, validity }: typeof empty) {
  return {
    f_port: Number(port),
    payload,
    confirmed: isConfirmed,
    ...(validity === '' ? {} : { valid_seconds: Number(validity) }),
  }
}

function useSending(onSent: () => void) {
  return useAction('POST /devices/{device_id}/downlink', {
    invalidates: [
      'GET /devices/{device_id}/downlinks',
      'GET /devices/{device_id}/configure',
      'GET /fleet/downlinks',
    ],
    onSuccess: ({ data }) => {
      const reason = data.steps.at(-1)?.reason
      if (data.state === 'failed') tellFailure('The message failed', reason ?? '')
      else tellSuccess('Message queued. The list shows its delivery.')
      onSent()
    },
  })
}
