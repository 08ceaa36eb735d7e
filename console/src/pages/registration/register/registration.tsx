import { Group, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { chosenAccount } from '../../../accounts/account-key.ts'
import type { ApiError } from '../../../api/client.ts'
import { useAction } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { DraftNotice, useDraft } from '../../../ui/draft.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { DeviceFields } from './device-form.tsx'
import { DeviceStart } from './device-start.tsx'
import { fitTo, type NetworkPair, placeOf } from './network-variant.ts'
import classes from './register.module.css'
import {
  type DeviceForm,
  type FormValues,
  readRemembered,
  remember,
  stillChosen,
  stillTaken,
  toBody,
} from './registration-form.ts'
import { Review, type Validated } from './review.tsx'
import type { Scanned } from './scan-panel.tsx'
import { useModel } from './use-model.ts'

interface RegistrationProps {
  pair: NetworkPair
  form: DeviceForm
  /** The EUI of a link, such as one from the quarantine. */
  eui: string | undefined
}

const fieldOf = { devEui: 'deviceId', joinEui: 'joinEui', appKey: 'deviceKey' } as const

/** Scan or type, let the API check it, and confirm. */
export function Registration({ pair, form, eui }: RegistrationProps) {
  const name = `register ${pair.network.key} ${eui ?? ''}`
  const draft = useDraft(name, startValues(pair, form, eui))
  const inputs = useForm<FormValues>({ initialValues: draft.start, onValuesChange: draft.keep })
  const network = placeOf(pair, inputs.values)
  const values = fitTo(network, inputs.values)
  const { takeModel, saysRadio } = useModel(form, network, inputs)
  const [sources, setSources] = useState<Partial<Record<keyof FormValues, string>>>({})
  const [validated, setValidated] = useState<Validated>()
  const navigate = useNavigate()
  const takeFaults = ({ errors }: ApiError) => {
    flushSync(() => {
      setValidated(undefined)
      inputs.setErrors(messagesOf(errors))
    })
    focusFirstFault()
  }
  const validate = useAction('POST /devices', {
    onSuccess: (answer) => 'payment' in answer && setValidated(answer),
    onError: takeFaults,
  })
  const confirm = useAction('POST /devices', {
    invalidates: ['GET /fleet/devices', 'GET /devices', 'GET /fleet/networks'],
    onSuccess: (_, { body }) => {
      remember(pair.network.key, inputs.values)
      draft.forget()
      void navigate({ to: '/register/$eui', params: { eui: body.deviceId } })
    },
    onError: (error) => Object.keys(error.errors).some(isField) && takeFaults(error),
  })
  const scan = (values: Scanned[]) => {
    for (const { field, value } of values) inputs.setFieldValue(fieldOf[field], value)
    const entries = values.map(({ field, source }) => [fieldOf[field], source])
    setSources((before) => ({ ...before, ...Object.fromEntries(entries) }))
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    inputs.clearErrors()
    confirm.reset()
    validate.mutate({ body: toBody(form, values, 'validate', saysRadio) })
  }
  if (validated) {
    return (
      <Review
        form={form}
        networkName={network.name}
        values={values}
        validated={validated}
        isBusy={confirm.isPending}
        error={confirm.error}
        onConfirm={() => confirm.mutate({ body: toBody(form, values, 'confirm', saysRadio) })}
        onBack={() => setValidated(undefined)}
      />
    )
  }
  const isUnnamed = validate.error && !Object.keys(validate.error.errors).some(isField)
  return (
    <form onSubmit={send} noValidate className={classes.form}>
      <Stack>
        <DraftNotice draft={draft} hasSecrets onStartOver={inputs.setValues} />
        <DeviceStart deviceType={inputs.values.deviceType} onScan={scan} onModel={takeModel} />
        <DeviceFields
          form={form}
          network={network}
          variantName={pair.variant?.name}
          inputs={inputs}
          values={values}
          sources={sources}
        />
        {isUnnamed && <ErrorNotice error={validate.error} />}
        <Group justify="flex-end">
          <ActionButton type="submit" needs="manage_devices" loading={validate.isPending}>
            {t('Continue')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}

export function startValues(
  { network, variant }: NetworkPair,
  form: DeviceForm,
  eui: string | undefined,
): FormValues {
  const kept = readRemembered(network.key)
  return {
    deviceName: '',
    deviceId: eui ?? '',
    joinEui: '',
    deviceKey: '',
    deviceType: stillChosen(form, 'deviceTypeId', kept.deviceType),
    account: chosenAccount(network.accounts, null),
    appRegion: stillChosen(form, 'appRegion', kept.appRegion),
    frequencyPlan: stillChosen(form, 'frequencyPlan', kept.frequencyPlan),
    gatewayId: null,
    groups: (kept.groups ?? []).filter((id) => stillChosen(form, 'groups', id) !== null),
    ...stillTaken((variant ?? network).capabilities, kept),
  }
}

const fields: readonly string[] = [
  'deviceName',
  'deviceId',
  'joinEui',
  'deviceKey',
  'deviceType',
  'account',
  'appRegion',
  'frequencyPlan',
  'gatewayId',
  'groups',
  'deviceProfile',
  'lorawan.activation',
  'lorawan.version',
  'lorawan.deviceClass',
  'lorawan.devAddr',
  'lorawan.networkKey',
]

export function isField(name: string): boolean {
  return fields.includes(name)
}

export function messagesOf(errors: Record<string, string[]>): Record<string, string> {
  const known = Object.entries(errors).filter(([name]) => isField(name))
  return Object.fromEntries(known.map(([name, messages]) => [name, messages.join(' ')]))
}

export function focusFirstFault(): void {
  document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus()
}
