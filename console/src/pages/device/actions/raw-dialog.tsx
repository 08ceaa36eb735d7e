import { Checkbox, NativeSelect, NumberInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { DraftNotice, useDraft } from '../../../ui/draft.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { tellFailure, tellSuccess } from '../../../ui/notices.tsx'

/** Seconds, as text, by what a person chooses. */
const validities = [
  { value: '', label: t('Until the network accepts it') },
  { value: '600', label: t('10 minutes') },
  { value: '3600', label: t('1 hour') },
  { value: '86400', label: t('1 day') },
  { value: '604800', label: t('7 days') },
]

interface RawDialogProps {
  eui: string
  onSent: () => void
  onClose: () => void
}

const empty = { port: '' as number | string, payload: '', isConfirmed: false, validity: '' }

/** Sends bytes as they are, for devices and messages that no form describes. */
export function RawDialog({ eui, onSent, onClose }: RawDialogProps) {
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
  const send = useAction('POST /devices/{device_id}/downlink', { invalidates: downlinkReads })
  const submit = async () => {
    const { data } = await send.mutateAsync({ path: { device_id: eui }, body: bodyOf(values) })
    if (data.state === 'failed')
      tellFailure(t('The message failed'), data.steps.at(-1)?.reason ?? '')
    else tellSuccess(t('Message queued. The list shows its delivery.'))
    close()
    onSent()
  }
  return (
    <FormDialog
      title={t('Send bytes')}
      action={t('Send')}
      needs="manage_devices"
      noValidate
      onSubmit={submit}
      onClose={close}
    >
      {(errorOf) => (
        <>
          <DraftNotice draft={draft} onStartOver={setValues} />
          <NumberInput
            label="fPort"
            description={t('1 to 223')}
            required
            allowDecimal={false}
            value={values.port}
            onChange={(port) => set({ port })}
            error={errorOf('f_port')}
            data-autofocus
          />
          <Textarea
            label={t('Payload')}
            description={t('Up to 242 bytes in hexadecimal, such as 01 02 ff')}
            required
            autosize
            minRows={1}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={values.payload}
            onChange={(event) => set({ payload: event.currentTarget.value })}
            error={errorOf('payload')}
          />
          <DeliveryFields values={values} set={set} errorOf={errorOf} />
        </>
      )}
    </FormDialog>
  )
}

interface DeliveryFieldsProps {
  values: typeof empty
  set: (changes: Partial<typeof empty>) => void
  errorOf: (...names: string[]) => string | undefined
}

function DeliveryFields({ values, set, errorOf }: DeliveryFieldsProps) {
  return (
    <>
      <NativeSelect
        label={t('Valid for')}
        description={t('If the network has not accepted it by then, it expires and is never sent')}
        data={validities}
        value={values.validity}
        onChange={(event) => set({ validity: event.currentTarget.value })}
        error={errorOf('valid_seconds', 'expires_at')}
      />
      <Checkbox
        label={t('Confirmed')}
        description={t(
          'The network repeats it until the device acknowledges it, and sends nothing else meanwhile',
        )}
        checked={values.isConfirmed}
        onChange={(event) => set({ isConfirmed: event.currentTarget.checked })}
        error={errorOf('confirmed')}
      />
    </>
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

const downlinkReads = [
  'GET /devices/{device_id}/downlinks',
  'GET /devices/{device_id}/configure',
  'GET /fleet/downlinks',
] as const
